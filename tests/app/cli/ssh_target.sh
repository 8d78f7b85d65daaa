# shellcheck shell=bash
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by a test in a folder of its own: starts sshd on the loopback with keys and a port of its own and writes the
# target `far`, which reaches it, to config/cutaway/targets.json. Ends with 77 where that cannot be. What it has started
# ends with the shell.
skip() { echo "$*"; exit 77; }
# It removes its file when it ends; only then is the folder the test's alone.
ended() {
  [ ! -s sshd.pid ] || kill "$(cat sshd.pid)" 2>/dev/null
  for _ in $(seq 100); do [ -f sshd.pid ] || break; sleep 0.05; done
  [ -z "${server:-}" ] || kill "$server" 2>/dev/null
  wait
}
trap ended EXIT

daemon=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v ssh ssh-keygen >/dev/null || skip "no OpenSSH here"
folder=$PWD
mkdir -p config/cutaway run
ssh-keygen -q -t ed25519 -N '' -f host_key && ssh-keygen -q -t ed25519 -N '' -f user_key && ssh-keygen -q -t ed25519 -N '' -f other_key
cp user_key.pub authorized_keys
port=$((20000 + $$ % 20000))
cat >sshd_config <<EOF
ListenAddress 127.0.0.1
Port $port
HostKey $folder/host_key
PidFile $folder/sshd.pid
AuthorizedKeysFile $folder/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication ${passwords:-no}
KbdInteractiveAuthentication no
PermitRootLogin yes
LogLevel ERROR
Subsystem sftp internal-sftp
EOF
cat >ssh_config <<EOF
Host far
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentityFile $folder/user_key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $folder/known_hosts
  StrictHostKeyChecking yes
  LogLevel ERROR
EOF
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 host_key.pub)" >known_hosts
printf '{"targets": [{"name": "far", "launcher": ["ssh", "-F", "%s", "far"]}]}\n' "$folder/ssh_config" >config/cutaway/targets.json

# As root sshd wants a user and a folder for its half without rights, which a container may lack.
begin=()
if [ "$(id -u)" = 0 ]; then
  { cat /etc/passwd; id -u sshd >/dev/null 2>&1 || echo "sshd:x:74:65534::/run/sshd:/usr/sbin/nologin"; } >passwd
  begin=(bwrap --die-with-parent --dev-bind / / --ro-bind passwd /etc/passwd --tmpfs /run --dir /run/sshd)
fi
"${begin[@]}" "$daemon" -D -e -f sshd_config >sshd.log 2>&1 &
server=$!
for _ in $(seq 100); do
  [ -f sshd.pid ] && break
  kill -0 "$server" 2>/dev/null || skip "sshd does not start: $(tail -n 1 sshd.log)"
  sleep 0.1
done
ssh -F ssh_config -o BatchMode=yes far true 2>ssh.log || skip "nobody can log in by ssh: $(tail -n 1 ssh.log)"
