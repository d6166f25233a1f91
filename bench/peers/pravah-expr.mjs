// Pravah with `expr` bodies, in the expression language. Runs in the harness copy's folder peers/.
import { documentChain } from './document-chain.mjs';

export const meta = { title: 'Pravah, expr bodies', packages: [] };

export const chain = documentChain({ expr: 'input.i + 1', into: 'i' });
