/** Whether an editor model is a body: one function expression whose types are in a separate declaration file. */
export function isBody(uri: string): boolean {
  return uri.startsWith('inmemory://studio/body%20');
}

/** Path of the declarations of a model. */
export function declarationsOf(uri: string): string {
  return uri.replace('inmemory://studio/', typesFolder).replace(/\.ts$/, '.d.ts');
}

const typesFolder = 'inmemory://studio/types/';

/** Whether a file contains the declarations of a body, which the compiler reads together with the body. */
export function isDeclarations(uri: string): boolean {
  return uri.startsWith(typesFolder);
}

/**
 * Code before a body for the compiler: gives its function the declared type `Body` and makes it a module with its own
 * names.
 */
export function beforeBody(declarations: string): string {
  return `export {};\n${declarations}\nconst body: Body = `;
}

/** Code after a body. */
export const afterBody = '\n;';
