import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 10;
/** Characters of the secret that are random; 220 bits. */
const randomLength = 37;
const checksumLength = 6;

/** A token's parts. Its text is `pvh_ID_SECRET`, and its last six characters a checksum, so that scanners for leaked secrets recognise it. */
export interface TokenText {
  readonly id: string;
  readonly secret: string;
}

/** Makes a new token. `random` returns random bytes. */
export function newToken(random: (size: number) => Uint8Array = randomBytes): TokenText & { readonly text: string } {
  const id = randomText(idLength, random);
  const start = randomText(randomLength, random);
  const secret = start + checksumOf(`pvh_${id}_${start}`);
  return { id, secret, text: `pvh_${id}_${secret}` };
}

/** Reads a token; null if it is not a valid one, as when it was mistyped. */
export function readToken(text: string): TokenText | null {
  const [, id, start, checksum] = /^pvh_([0-9A-Za-z]{10})_([0-9A-Za-z]{37})([0-9A-Za-z]{6})$/.exec(text) ?? [];
  if (!id || !start || checksum !== checksumOf(`pvh_${id}_${start}`)) return null;
  return { id, secret: start + checksum };
}

/** SHA-256 (hex) of a secret. It is random, so a slow hash would add nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Each character is equally likely: bytes that would favour some are dropped. */
function randomText(length: number, random: (size: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < checksumLength; place += 1) {
    checksum = alphabet[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}
