import { FlowError } from '#shared/run/error.ts';

/**
 * Loads a package that users install only for `purpose` (`openai://`, a journal). Throws `FlowError` `CONFIG_PACKAGE_MISSING` if it is not
 * installed; other errors of loading it pass through.
 */
export async function optionalPackage<Loaded>(name: string, purpose: string, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    throw missingPackage(error, name, purpose) ?? error;
  }
}

/** The error for the user if Node did not find this package; null for any other error, such as a missing package that the package itself imports. */
export function missingPackage(error: unknown, name: string, purpose: string): FlowError | null {
  const notFound =
    error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
  if (!notFound || !new RegExp(`^Cannot find (?:package|module) ['"]${name}['"/]`).test(error.message)) return null;
  return new FlowError('BuildError', `The package "${name}" is not installed: it is needed for ${purpose}. Run npm install ${name}.`, {
    code: 'CONFIG_PACKAGE_MISSING',
    details: { package: name },
  });
}
