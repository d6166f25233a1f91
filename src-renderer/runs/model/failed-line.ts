import type { TransferableError } from '#shared/run/error.ts';

/** The line of a body at which a step failed, from 1; null if the failure names none. */
export function failedLine({ details }: TransferableError): number | null {
  const found = typeof details?.stack === 'string' ? /\bbody\.js:(\d+)/.exec(details.stack) : null;
  return found ? Number(found[1]) : null;
}

/** The failure without the name of its node, which is shown beside it: `Line 4: TypeError: cannot read property 'length' of undefined.` */
export function shortFailure(error: TransferableError): string {
  const message = error.message.replace(/^The (?:body|handler) of .+? failed: /, '');
  const line = failedLine(error);
  return line === null ? message : `Line ${line}: ${message}`;
}
