import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
  space.write('flow.flow.json', {
    pravah: 1,
    name: 'greet',
    input: 'Name',
    output: 'Greeting',
    schemas: { Name: true, Greeting: true },
    nodes: [{ kind: 'work', from: 'Name', to: 'Greeting', expr: 'Name' }],
  });
});
afterEach(() => space.remove());

it('prints a flow as Mermaid and DOT, and writes it as SVG', async () => {
  expect(await space.run('export', 'flow.flow.json', '--format', 'mermaid')).toMatchObject({
    code: 0,
    stdout: 'flowchart TD\n  n0(["Name"])\n  n1["Name"]\n  n2(["Greeting"])\n  n0 --> n1\n  n1 --> n2\n',
  });
  expect((await space.run('export', 'flow.flow.json', '--format', 'dot')).stdout).toContain('digraph "greet" {');
  expect(await space.run('export', 'flow.flow.json', '--format', 'svg', '-o', 'flow.svg')).toMatchObject({ code: 0 });
  expect(readFileSync(join(space.folder, 'flow.svg'), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
});

it('finds the stale diagrams of a Markdown file, and updates only them', async () => {
  const page = (diagram: string) =>
    `# A\n\n<!-- pravah: flow.flow.json -->\n\n\`\`\`mermaid\n${diagram}\`\`\`\n\n\`\`\`mermaid\nother\n\`\`\`\n`;
  space.write('page.md', page('flowchart TD\n  old\n'));
  expect(await space.run('export', '--check', 'page.md')).toMatchObject({
    code: 2,
    stdout: 'stale  page.md:3: the diagram of flow.flow.json. Run pravah export --write page.md.\n',
  });
  expect(await space.run('export', '--write', 'page.md')).toMatchObject({ code: 0, stdout: 'written  page.md (1 changed)\n' });
  const { stdout } = await space.run('export', 'flow.flow.json', '--format', 'mermaid');
  expect(readFileSync(join(space.folder, 'page.md'), 'utf8')).toBe(page(stdout));
  expect(await space.run('export', '--check', 'page.md')).toMatchObject({ code: 0, stdout: 'up to date  page.md (1 diagram)\n' });
});

it('refuses a command that names both a flow and a Markdown file, or neither', async () => {
  expect(await space.run('export', 'flow.flow.json', '--check', 'page.md')).toMatchObject({ code: 2 });
  expect((await space.run('export')).stderr).toContain('Pass the flow to export');
});
