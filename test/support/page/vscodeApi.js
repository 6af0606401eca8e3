// What VS Code gives a webview's page, for a page outside of it. It is JavaScript since tests have no types of a page.
// The page's test exposes sendToHost(json) and calls receive(json); bytes are {base64} in between.
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => globalThis.sendToHost(JSON.stringify(message, encodeBytes)),
  getState: () => undefined,
  setState: () => undefined,
});

globalThis.receive = (json) => {
  const data = JSON.parse(json, decodeBytes);
  globalThis.dispatchEvent(new MessageEvent('message', { data, origin: globalThis.origin }));
};

function encodeBytes(_, value) {
  return value instanceof Uint8Array ? { base64: value.toBase64() } : value;
}

function decodeBytes(_, value) {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value;
  return isBytes ? Uint8Array.fromBase64(value.base64).buffer : value;
}
