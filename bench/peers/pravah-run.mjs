// Pravah with `run` bodies, in the sandbox. Runs in the harness copy's folder peers/.
import { documentChain } from './document-chain.mjs';

export const meta = { title: 'Pravah, run bodies', packages: [] };

export const chain = documentChain({ run: '(s) => ({ ...s, i: s.i + 1 })' });
