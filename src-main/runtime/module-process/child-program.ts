/**
 * What runs in the process of a workspace's own code: it loads the named files (Node strips their types) and calls their functions. Kept
 * as text so that it needs no file of its own beside the program. Messages are those of `ModuleProcess`; it ends with its parent.
 */
export const childProgram = `
import { pathToFileURL } from 'node:url';
process.on('disconnect', () => process.exit());
const waiting = new Map();
let calls = 0;
const randomFrom = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
};
const contextOf = ({ id, node, now, seed, tools }) => ({
  node,
  now: () => now,
  random: randomFrom(seed),
  log: (...values) => process.send({ type: 'log', id, values: values.map((value) => (value === undefined ? null : value)) }),
  signal: new AbortController().signal,
  services: {},
  suspend: () => {
    throw new Error('A handler cannot suspend. To wait for somebody at ' + node + ', use a suspend node, an agent with ask_user, or a tool body.');
  },
  tools: Object.fromEntries(tools.map((name) => [name, (input = {}) => new Promise((resolve, reject) => {
    const call = (calls += 1);
    waiting.set(call, { resolve, reject });
    process.send({ type: 'tool', id, call, name, input });
  })])),
});
const described = (error) => {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : String(error) };
  const retryable = typeof error.retryable === 'boolean' ? error.retryable : undefined;
  return { name: error.name, message: error.message, stack: error.stack, retryable, call: error.call };
};
process.on('message', async (message) => {
  if (message.type === 'tool_result') {
    const { resolve, reject } = waiting.get(message.call);
    waiting.delete(message.call);
    if (message.error === undefined) resolve(message.result);
    else reject(Object.assign(new Error(message.error.message), { name: 'ToolError', call: message.call, ...message.error }));
    return;
  }
  const { id } = message;
  try {
    const module = await import(pathToFileURL(message.file).href);
    const handler = module[message.export];
    if (typeof handler !== 'function') throw new Error(message.file + ' exports no function ' + message.export + '.');
    process.send({ type: 'result', id, value: await handler(...message.args, contextOf(message)) });
  } catch (error) {
    process.send({ type: 'error', id, error: described(error) });
  }
});
`;
