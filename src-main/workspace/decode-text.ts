export type DecodedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Bytes of a file as text. A byte-order mark is dropped; bytes that are no UTF-8 are refused, with the place of the first. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const { line, offset } = firstInvalid(bytes);
    return { ok: false, message: `Line ${line}: the file is not UTF-8 (byte ${offset}); save it with this encoding.` };
  }
}

/** The text decoded with replacement characters agrees with the bytes up to the first one that is none. */
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
