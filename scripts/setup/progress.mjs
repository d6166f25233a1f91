// Tells on standard error that something takes its time.

/**
 * Prints `title`, the seconds that passed (rewritten in place on a terminal, a line every 15 s elsewhere) and how it ended.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, work) {
  const started = Date.now();
  const terminal = process.stderr.isTTY;
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stderr.write(`${title} …${terminal ? '' : '\n'}`);
  const timer = setInterval(
    () => process.stderr.write(terminal ? `\r${title} … ${seconds()}` : `  … ${seconds()}\n`),
    terminal ? 1000 : 15_000,
  );
  try {
    const result = await work();
    process.stderr.write(`${terminal ? `\r${title} …` : ' '} done in ${seconds()}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${terminal ? `\r${title} …` : ' '} failed after ${seconds()}\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
