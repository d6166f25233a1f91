// The floor of sandboxed bodies: a function that is created for each call, so that calls share no state.
import { body, quickjsChain } from './quickjs-chain.mjs';

export const meta = { title: 'bare QuickJS', packages: [] };

export const chain = quickjsChain((vm) => (text) => vm.unwrapResult(vm.evalCode(`JSON.stringify((${body})(${text}))`)));
