import { parse } from 'acorn';

/** What code of other tools uses that a sandbox does not have: programs, the network, timers, files, their own helpers. */
const outside =
  /\b(require|import|process|fetch|XMLHttpRequest|setTimeout|setInterval|Buffer|globalThis|window|document|eval|Function)\b(?=\s*[(.[])|\bthis\.helpers\b|\$(env|vars|secrets|getWorkflowStaticData|evaluateExpression)\b/;

/** The first name in JavaScript that the sandbox does not have; null if there is none. Comments and texts are not looked into. */
export function selfContained(code: string): string | null {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ');
  return outside.exec(bare)?.[0] ?? null;
}

/** Whether a text is one JavaScript expression. */
export function isExpression(code: string): boolean {
  return isScript(`return (${code || 'undefined'}\n);`);
}

/** Whether a text is the body of a function that does not wait for anything. */
export function isScript(code: string): boolean {
  try {
    parse(`(() => {\n${code}\n})`, { ecmaVersion: 'latest' });
    return true;
  } catch {
    return false;
  }
}
