import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 (hex) of a text. In plain JavaScript: browsers and edge runtimes have no synchronous one of their own. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
