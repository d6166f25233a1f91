import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { build } from 'vite';

/** The extension's folder, relative to the checkout. */
export const EXTENSION = 'editors/vscode';

/** Files that are packed as they are. */
const FILES = ['package.json', 'README.md', 'LICENSE', 'images/icon.png'] as const;

/** Types of packed files, by ending. */
const TYPES = {
  json: 'application/json',
  md: 'text/markdown',
  js: 'application/javascript',
  png: 'image/png',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
};

interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly icon: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
}

/**
 * Builds the VS Code extension into `folder` and packs it as a .vsix, in the form of Microsoft's `vsce`, which is not used because a part of it has a
 * licence of its own. Returns the path of the package.
 */
export async function packExtension(root: string, folder: string): Promise<string> {
  const source = join(root, EXTENSION);
  await build({
    root: source,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      ssr: 'src/extension.ts',
      rollupOptions: { external: ['vscode'], output: { format: 'cjs', entryFileNames: 'extension.js' } },
    },
  });
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  // As `vsce` names them.
  const nameOf = (file: string) => (file === 'LICENSE' ? 'LICENSE.txt' : file === 'README.md' ? 'readme.md' : file);
  const zipped = zipSync({
    'extension.vsixmanifest': strToU8(packageManifest(manifest)),
    '[Content_Types].xml': strToU8(contentTypes()),
    ...Object.fromEntries(FILES.map((file) => [`extension/${nameOf(file)}`, new Uint8Array(readFileSync(join(source, file)))])),
    'extension/out/extension.js': new Uint8Array(readFileSync(join(folder, 'extension.js'))),
  });
  const path = join(folder, `${manifest.name}-${manifest.version}.vsix`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, zipped);
  return path;
}

function packageManifest(manifest: Manifest): string {
  const { name, displayName, description, version, publisher, icon, categories, keywords, engines } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true" />
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${escaped(icon)}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${escaped(icon)}" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

function contentTypes(): string {
  const types = Object.entries(TYPES);
  const lines = types.map(([ending, type]) => `  <Default Extension=".${ending}" ContentType="${type}" />`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join('\n')}
</Types>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
