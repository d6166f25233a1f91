// Runs before anything else in each script of the vehicle's build: what Node 24 has and Node 16 lacks. The language's own additions
// come from core-js; here is what belongs to Node and the web platform. Never part of the application.
require('core-js/actual');
const { Blob } = require('node:buffer');
const { webcrypto } = require('node:crypto');
const os = require('node:os');
const streams = require('node:stream/web');
const util = require('node:util');
const v8 = require('node:v8');
const { BroadcastChannel, MessageChannel, MessagePort } = require('node:worker_threads');
const undici = require('undici');

const missing = {
  ...streams,
  Blob,
  BroadcastChannel,
  MessageChannel,
  MessagePort,
  TextDecoder: util.TextDecoder,
  TextEncoder: util.TextEncoder,
  crypto: webcrypto,
  structuredClone: (value) => v8.deserialize(v8.serialize(value)),
  fetch: undici.fetch,
  File: undici.File,
  FormData: undici.FormData,
  Headers: undici.Headers,
  Request: undici.Request,
  Response: undici.Response,
};
for (const [name, value] of Object.entries(missing)) {
  if (globalThis[name] === undefined) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

if (!AbortSignal.any) {
  AbortSignal.any = (signals) => {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason);
      else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
    }
    return controller.signal;
  };
}

const ENV_LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^#\n]*))/gm;
util.parseEnv ??= (text) =>
  Object.fromEntries([...text.matchAll(ENV_LINE)].map(([, name, a, b, c, bare]) => [name, a ?? b ?? c ?? bare.trim()]));
os.availableParallelism ??= () => os.cpus().length;
process.getBuiltinModule ??= require;
util.styleText ??= (_format, text) => text;

require('./electron.cjs');
