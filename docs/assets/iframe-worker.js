// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The search of this site runs in a worker, which browsers refuse to a page that is a file. There, the same script runs in a
// hidden frame instead: messages to it are events of the frame's window, and what it posts are events of this object.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame.contentWindow;
      this.frame.postMessage = data => this.take("message", data);
      this.frame.importScripts = (...urls) => urls.reduce((done, each) => done.then(() => this.load(each)), Promise.resolve());
      this.loaded = this.load(url);
    }
    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frame.document.createElement("script");
        script.src = new URL(url, location.href);
        script.onload = resolve;
        script.onerror = reject;
        this.frame.document.body.append(script);
      });
    }
    take(kind, data) {
      const event = new MessageEvent(kind, { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      const { MessageEvent: Message } = this.frame;
      this.loaded.then(() => this.frame.dispatchEvent(new Message("message", { data })));
    }
    terminate() {
      this.frame.frameElement.remove();
    }
  };
}
