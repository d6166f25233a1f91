// The same with one function for all calls.
import { body, quickjsChain } from './quickjs-chain.mjs';

export const meta = { title: 'bare QuickJS, one function for all calls', packages: [] };

export const chain = quickjsChain((vm) => {
  const step = vm.unwrapResult(vm.evalCode(`((body) => (text) => JSON.stringify(body(JSON.parse(text))))(${body})`));
  return (text) => {
    const given = vm.newString(text);
    const result = vm.unwrapResult(vm.callFunction(step, vm.undefined, given));
    given.dispose();
    return result;
  };
});
