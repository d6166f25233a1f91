// QuickJS called by hand with one function that is kept for all calls, JSON text both ways, no flow around it. Runs in the harness copy's folder peers/.
import { createRequire } from 'node:module';
import { initial } from '../lib/common.mjs';

// The very build that the engine uses.
const { getQuickJS } = createRequire(createRequire(import.meta.url).resolve('pravah-studio/runtime'))('quickjs-emscripten');

export const meta = { title: 'bare QuickJS, one function for all calls', packages: [] };

export async function chain(n, bytes) {
  const vm = (await getQuickJS()).newContext();
  const make = '(body) => (text) => JSON.stringify(body(JSON.parse(text)))';
  const step = vm.unwrapResult(vm.evalCode(`(${make})((s) => ({ ...s, i: s.i + 1 }))`));
  const call = (state) => {
    const text = vm.newString(JSON.stringify(state));
    const result = vm.unwrapResult(vm.callFunction(step, vm.undefined, text));
    const made = JSON.parse(vm.getString(result));
    text.dispose();
    result.dispose();
    return made;
  };
  const run = async () => {
    let state = initial(bytes);
    for (let k = 0; k < n; k += 1) state = call(state);
    return state;
  };
  return { run };
}
