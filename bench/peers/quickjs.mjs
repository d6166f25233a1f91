// The floor of sandboxed bodies: QuickJS called by hand, JSON text both ways, with a function that is made anew for each call, so that nothing is
// left from one to the next; no flow around it. Runs in the harness copy's folder peers/.
import { createRequire } from 'node:module';
import { initial } from '../lib/common.mjs';

// The very build that the engine uses.
const { getQuickJS } = createRequire(createRequire(import.meta.url).resolve('pravah-studio/runtime'))('quickjs-emscripten');

export const meta = { title: 'bare QuickJS', packages: [] };

export async function chain(n, bytes) {
  const vm = (await getQuickJS()).newContext();
  const call = (state) => {
    const result = vm.unwrapResult(vm.evalCode(`JSON.stringify(((s) => ({ ...s, i: s.i + 1 }))(${JSON.stringify(state)}))`));
    const made = JSON.parse(vm.getString(result));
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
