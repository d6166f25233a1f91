export type DecodedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Decodes a file's bytes. Drops a byte-order mark; reports the position of the first byte that is not valid UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const { line, offset } = firstInvalid(bytes);
    return { ok: false, message: `Line ${line}: the file is not valid UTF-8 (byte ${offset}). Save it as UTF-8.` };
  }
}

/** Finds the first invalid byte by comparing with the text decoded with replacement characters. */
function firstInvalid(bytes: Uint8Array): { readonly line: number; readonly offset: number } {
  const lenient = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let offset = 0;
  let line = 1;
  while (offset < bytes.length && bytes[offset] === lenient[offset]) {
    if (bytes[offset] === 0x0a) line++;
    offset++;
  }
  return { line, offset };
}
