// The floor of sandboxed bodies: a function that is made anew for each call, so that nothing is left from one to the next.
import { body, quickjsChain } from './quickjs-chain.mjs';

export const meta = { title: 'bare QuickJS', packages: [] };

export const chain = quickjsChain((vm) => (text) => vm.unwrapResult(vm.evalCode(`JSON.stringify((${body})(${text}))`)));
