import manifest from '#package' with { type: 'json' };

/** The studio's version, as its package says. */
export const version: string = manifest.version;
