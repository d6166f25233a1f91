import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { fileFailure } from '#main/platform/file-failure.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { flowLanguage } from '#shared/flow/parse-flow.ts';
import { FlowError } from '#shared/run/error.ts';
import { decodeText } from './decode-text.ts';

/** Reads a file to import. Throws `FlowError` if it cannot be read, or `BuildError` if it is not text. */
export function readImportText(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw fileFailure('could not be read', basename(file), error);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw new FlowError('BuildError', decoded.message);
  return decoded.text;
}

/** The text of an imported flow, in the language of its file's name. */
export function documentText(file: string, document: FlowDocument): string {
  if (flowLanguage(file) === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
