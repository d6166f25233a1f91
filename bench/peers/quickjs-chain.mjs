// A chain of calls of QuickJS by hand, JSON text both ways and no flow around it, as a peer of the harness has it.
import { createRequire } from 'node:module';
import { initial } from '../lib/common.mjs';

// The very build that the engine uses.
const load = createRequire(createRequire(import.meta.url).resolve('pravah-studio/runtime'));
const { newQuickJSWASMModuleFromVariant } = load('quickjs-emscripten-core');
const quickjs = newQuickJSWASMModuleFromVariant(load('@jitl/quickjs-wasmfile-release-sync').default);

/** What every call does. */
export const body = '(s) => ({ ...s, i: s.i + 1 })';

/** `prepare` answers with what calls the body in a machine: from JSON text to the handle of JSON text. */
export const quickjsChain = (prepare) => async (n, bytes) => {
  const vm = (await quickjs).newContext();
  const call = prepare(vm);
  const run = async () => {
    let state = initial(bytes);
    for (let k = 0; k < n; k += 1) {
      const result = call(JSON.stringify(state));
      state = JSON.parse(vm.getString(result));
      result.dispose();
    }
    return state;
  };
  return { run };
};
