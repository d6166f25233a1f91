import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Application, type ProjectReflection, ReflectionKind, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { ROOT } from '#scripts/checks/source-files.ts';

/** The entries of the package that the reference describes. Each states its name in a `@module` comment. */
const entries = ['runtime', 'engine', 'testing', 'otel', 'ai-sdk']
  .map((name) => join(ROOT, 'src-main/sdk', `${name}.ts`))
  .filter((file) => existsSync(file));

const options: TypeDocOptions & Partial<PluginOptions> = {
  name: 'Reference',
  entryPoints: entries,
  tsconfig: join(ROOT, 'src-main/tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  skipErrorChecking: true,
  validation: false,
  logLevel: 'Error',
  // Pages whose content changes only with the code: without dates, versions and places in the source.
  hideGenerator: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  entryFileName: 'README',
  outputFileStrategy: 'members',
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideSources: true, hideInherited: true, hideOverrides: true },
};

/** Writes the reference of the package into `folder`, which is emptied. */
export async function writeReference(folder: string): Promise<void> {
  const { app, project } = await readEntries();
  app.options.setValue('out', folder);
  await app.generateOutputs(project);
}

/** The exports without a sentence about them, as `ENTRY: NAME`. */
export async function undocumentedExports(): Promise<readonly string[]> {
  const { project } = await readEntries();
  return (project.children ?? []).flatMap((entry) =>
    (entry.children ?? [])
      .filter((member) => member.kind !== ReflectionKind.Reference)
      .filter((member) => ![member, ...(member.signatures ?? [])].some(({ comment }) => comment?.hasVisibleComponent()))
      .map(({ name }) => `${entry.name}: ${name}`),
  );
}

async function readEntries(): Promise<{ readonly app: Application; readonly project: ProjectReflection }> {
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the entries of the package: it printed why.');
  return { app, project };
}
