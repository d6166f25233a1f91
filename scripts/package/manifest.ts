import type { Product } from './products.ts';

/** What the published manifests take from the repository's own. */
export interface TopManifest {
  readonly version: string;
  readonly license: string;
  readonly author: string;
  readonly keywords: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/**
 * The `package.json` of a product whose built files load the packages in `externals`. Versions are the repository's own.
 * Throws if a package is not among those that the product may leave to npm.
 */
export function manifestOf(product: Product, externals: ReadonlySet<string>, top: TopManifest): Readonly<Record<string, unknown>> {
  const unexpected = [...externals].filter((name) => !(name in product.externals)).sort();
  if (unexpected.length > 0) {
    const names = unexpected.map((name) => `“${name}”`).join(', ');
    throw new Error(
      `The build of ${product.name} loads ${names}, which its package does not name. Bundle it, or add it to scripts/package/products.ts.`,
    );
  }
  const versions = { ...top.dependencies, ...top.optionalDependencies };
  const external = (kind: Product['externals'][string]) => [...externals].filter((name) => product.externals[name] === kind).sort();
  const version = (name: string, prefix = ''): string => {
    const found = versions[name];
    if (found === undefined) throw new Error(`${product.name} needs “${name}”, which is no dependency in the repository's package.json.`);
    return `${prefix}${found}`;
  };
  const optional = external('optional peer');
  const peers = [...external('peer'), ...optional].sort();
  return {
    name: product.name,
    version: top.version,
    description: product.description,
    license: top.license,
    author: top.author,
    keywords: top.keywords,
    type: 'module',
    engines: { node: product.node },
    ...(product.bin && { bin: product.bin }),
    exports: product.exports,
    dependencies: Object.fromEntries(external('dependency').map((name) => [name, version(name)])),
    ...(peers.length > 0 && { peerDependencies: Object.fromEntries(peers.map((name) => [name, version(name, '^')])) }),
    ...(optional.length > 0 && { peerDependenciesMeta: Object.fromEntries(optional.map((name) => [name, { optional: true }])) }),
  };
}
