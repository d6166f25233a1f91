import { afterAll, test } from 'vitest';

type Form = (title: string, attack: () => void | Promise<void>, timeout?: number) => void;

/**
 * One class of abuse. Each form of it is a test that attacks, and passes only where the attack was refused. At the end a line says how
 * many were tried and refused.
 */
export function abuseClass(name: string): Form {
  let tried = 0;
  let refused = 0;
  afterAll(() => {
    process.stdout.write(`abuse: ${name}: ${tried} tried, ${refused} refused\n`);
  });
  return (title, attack, timeout = 30_000) =>
    test(
      `${name}: ${title}`,
      async () => {
        tried += 1;
        await attack();
        refused += 1;
      },
      timeout,
    );
}
