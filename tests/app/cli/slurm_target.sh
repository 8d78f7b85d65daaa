# shellcheck shell=bash
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by a test in a folder of its own: starts a Slurm cluster of this machine alone and writes the target `queue`,
# which is srun on it, to config/cutaway/targets.json. Ends with 77 where that cannot be. What it has started ends with
# the shell.
skip() { echo "$*"; exit 77; }

# Slurm's programs find each other at /run/slurm*/sack.socket whatever their configuration says; so that the clusters of
# two tests do not mistake each other's keys, each has a /run of its own: the whole script starts anew there.
if [ -z "${has_own_run:-}" ]; then
  [ "$(id -u)" = 0 ] || skip "slurmd runs as root alone"
  unshare --mount true 2>/dev/null || skip "no /run of one's own here"
  has_own_run=1 exec unshare --mount bash -o pipefail -c "$BASH_EXECUTION_STRING"
fi
mount -t tmpfs tmpfs /run 2>/dev/null || skip "no /run of one's own here"

servers=()
ended() {
  [ "${#servers[@]}" = 0 ] && return
  timeout 5 scancel --full --signal=KILL --user="$(id -un)" 2>/dev/null
  timeout 5 scancel --user="$(id -un)" 2>/dev/null
  for _ in $(seq 50); do
    [ -z "$(timeout 5 squeue -h 2>/dev/null)" ] && break
    sleep 0.1
  done
  sleep 0.3 # the step tells the node that it is over
  kill "${servers[@]}" 2>/dev/null
  wait "${servers[@]}"
}
trap ended EXIT

PATH=$PATH:/usr/sbin
command -v slurmctld slurmd srun >/dev/null || skip "no Slurm here"
folder=$PWD host=$(hostname -s)
port=$((20000 + $$ % 10000 * 2))
mkdir -p config/cutaway state spool
head -c 1024 /dev/urandom >slurm.key
chmod 600 slurm.key
cat >slurm.conf <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/slurm
CredType=cred/slurm
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
echo 'CgroupPlugin=disabled' >cgroup.conf
export SLURM_CONF=$folder/slurm.conf SLURM_SACK_KEY=$folder/slurm.key
slurmctld -D -f slurm.conf >slurmctld.out 2>&1 & servers+=($!)
slurmd -D -f slurm.conf -N "$host" >slurmd.out 2>&1 & servers+=($!)
for _ in $(seq 150); do
  for server in "${servers[@]}"; do
    kill -0 "$server" 2>/dev/null || skip "Slurm does not start: $(cat slurmctld.out slurmd.out | tail -n 1)"
  done
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break
  sleep 0.1
done
printf '{"targets": [{"name": "queue", "launcher": ["srun", "--quiet"]}]}\n' >config/cutaway/targets.json
timeout 20 srun --quiet true 2>srun.log || skip "srun does not run here: $(tail -n 1 srun.log)"
