import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { filesOfFlow } from '#main/workspace/files-of-flow.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { parseSettings, type WrittenSettings } from '#main/workspace/settings.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Bundle } from './bundle.ts';

const settingsFile = 'pravah.json';

/**
 * Bundles a flow with what it needs: layout, inner flows, code with the files that it imports, scripts of models, the folder's own tools if it uses any, and
 * the part of `pravah.json` that it uses. `.env` is never included. Throws `FlowError` if the flow has errors or a file is outside of the folder.
 */
export async function makeBundle(file: string, options: FlowEnvironmentOptions): Promise<Bundle> {
  const { folder } = options;
  const { graph, path, problems } = await openFlow(file, options);
  if (!graph)
    throw new FlowError('BuildError', `${path || file} has errors: ${problems[0]?.message ?? ''} See them all with: pravah validate.`);
  const needed = await filesOfFlow(path, options);
  const files = new Map<string, Uint8Array>();
  const add = (name: string): void => {
    if (files.has(name)) return;
    const bytes = readInside(folder, name);
    files.set(name, bytes);
    if (/\.[cm]?[jt]s$/.test(name)) for (const imported of importsOf(folder, name, bytes)) add(imported);
  };
  for (const name of needed) add(name);
  const text = () => [...files.values()].map((bytes) => Buffer.from(bytes).toString('utf8')).join('\n');
  if (text().includes('./tools/') && existsSync(join(folder, 'tools')))
    for (const entry of readdirSync(join(folder, 'tools'))) if (statSync(join(folder, 'tools', entry)).isFile()) add(`tools/${entry}`);
  const settings = settingsOf(folder, text());
  for (const { spec } of Object.values(settings.openapi_tools ?? {})) add(relative(folder, join(folder, spec)).split(sep).join('/'));
  if (Object.keys(settings).length > 0) files.set(settingsFile, Buffer.from(`${JSON.stringify(settings, null, 2)}\n`));
  return { flow: path, files };
}

function readInside(folder: string, name: string): Uint8Array {
  const real = realpathSync(join(folder, name));
  if (real.startsWith(folder + sep)) return readFileSync(real);
  throw new FlowError('Invalid', `${name} is outside of ${folder}, so it can't be bundled. Copy it into the folder.`, {
    details: { name },
  });
}

/** Files that a file of code imports by a relative path. */
function importsOf(folder: string, name: string, bytes: Uint8Array): string[] {
  const found = Buffer.from(bytes)
    .toString('utf8')
    .matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g);
  return [...found]
    .map(([, target = '']) =>
      relative(folder, join(folder, dirname(name), target))
        .split(sep)
        .join('/'),
    )
    .filter((path) => existsSync(join(folder, path)));
}

/** The part of the folder's settings that a flow with these texts can use. */
function settingsOf(folder: string, texts: string): WrittenSettings {
  const path = join(folder, settingsFile);
  if (!existsSync(path)) return {};
  const text = readFileSync(path, 'utf8');
  parseSettings(text);
  const { $schema: _schema, mcp_servers, openapi_tools, providers, commands, python, ...others } = JSON.parse(text) as WrittenSettings;
  const named = <Value>(values: Readonly<Record<string, Value>> | undefined, nameOf: (name: string) => string) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => texts.includes(nameOf(name))));
  const used: WrittenSettings = {
    ...others,
    mcp_servers: named(mcp_servers, (name) => `mcp:${name}/`),
    openapi_tools: named(openapi_tools, (name) => `openapi:${name}/`),
    providers: named(providers, (name) => `genai://${name}/`),
    ...(commands && texts.includes('run_command') && { commands }),
    ...(python && { python }),
  };
  return Object.fromEntries(Object.entries(used).filter(([, value]) => Object.keys(value as object).length > 0)) as WrittenSettings;
}
