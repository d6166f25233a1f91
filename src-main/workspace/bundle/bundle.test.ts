import { zipSync } from 'fflate/browser';
import { describe, expect, it } from 'vitest';
import { type Bundle, bundleHash, packBundle, readBundle } from './bundle.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const bundle: Bundle = {
  flow: 'a/b.flow.yaml',
  files: new Map([
    ['a/b.flow.yaml', bytes('x')],
    ['pravah.json', bytes('{}')],
  ]),
};
const manifest = bytes(JSON.stringify({ pravah_bundle: 1, flow: 'b' }));

describe('a bundle', () => {
  it('is read as it was packed, and is the same bytes and name whatever the order of its files', () => {
    expect(readBundle(packBundle(bundle))).toEqual(bundle);
    const turned: Bundle = { ...bundle, files: new Map([...bundle.files].reverse()) };
    expect(packBundle(turned)).toEqual(packBundle(bundle));
    expect(bundleHash(turned)).toBe(bundleHash(bundle));
    expect(bundleHash({ ...bundle, flow: 'pravah.json' })).not.toBe(bundleHash(bundle));
    expect(bundleHash({ ...bundle, files: new Map([...bundle.files, ['c', bytes('')]]) })).not.toBe(bundleHash(bundle));
  });

  it.each([
    ['../x', 'files/../x'],
    ['an absolute path', '/etc/passwd'],
    ['a path outside of files', 'other/x'],
    ['a drive', 'files/C:/x'],
    ['a backslash', 'files/a\\..\\x'],
    ["the studio's own folder", 'files/.pravah/journal.db'],
    ['a path with a dot', 'files/./x'],
  ])('is refused with %s', (_what, name) => {
    const packed = zipSync({ 'bundle.json': manifest, 'files/b': bytes('x'), [name]: bytes('x') });
    expect(() => readBundle(packed)).toThrow('This is not a bundle of a flow: it has a file outside of files/');
  });

  it('is refused if it would become much larger, has too many files, or is something else', () => {
    const bomb = zipSync({ 'bundle.json': manifest, 'files/b': new Uint8Array(20_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => readBundle(bomb)).toThrow('files/b is too large unpacked');
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`files/${index}`, bytes('')]));
    expect(() => readBundle(zipSync({ 'bundle.json': manifest, ...many }))).toThrow('more than 1000 files');
    expect(() => readBundle(bytes('no zip'))).toThrow('it is not a zip file');
    expect(() => readBundle(zipSync({ 'files/b': bytes('x') }))).toThrow('its bundle.json is missing or not valid');
    expect(() => readBundle(zipSync({ 'bundle.json': manifest }))).toThrow('its flow b is missing');
  });
});
