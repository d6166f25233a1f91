import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.type-test.ts'));
const directive = /^\s*\/\/ @ts-expect-error .+$/;

/** Errors of the compiler in these texts, which stand for files of this folder. */
function errorsIn(texts: ReadonlyMap<string, string>): readonly ts.Diagnostic[] {
  const { config } = ts.readConfigFile(join(folder, '../../tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(folder, '../..'));
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (path, version) => {
    const text = texts.get(path);
    return text === undefined ? read(path, version) : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((path) => [...program.getSemanticDiagnostics(program.getSourceFile(path))]);
}

const textsOf = (change: (line: string) => string) =>
  new Map(
    names.map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      return [join(folder, name), lines.map(change).join('\n')];
    }),
  );

describe('the types of a flow in code', { timeout: 120_000 * slowness }, () => {
  test('accept what fits and refuse what does not', () => {
    const messages = errorsIn(textsOf((line) => line)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  });

  test('refuse each marked line, and no other, for a reason of its own', () => {
    const texts = textsOf((line) => (directive.test(line) ? '//' : line));
    const marked = names.flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (directive.test(line) ? [`${name}:${index + 2}`] : [])),
    );
    const found = errorsIn(texts).map(({ file, start }) => {
      const line = (file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0) + 1;
      return `${file?.fileName.slice(folder.length + 1)}:${line}`;
    });
    expect(marked.length).toBeGreaterThan(30);
    expect([...new Set(found)].sort()).toEqual(marked.sort());
  });
});
