import { findNpmProgram, provisionNpmProgram } from './npm-program.mjs';

/** The runtime of Cloudflare Workers, which generates no code from text. */
const workerd = { name: 'workerd', version: '1.20261117.1', bin: 'workerd', what: 'workerd' };

/** Path of the program when it has been provisioned, or null. */
export const findWorkerd = () => findNpmProgram(workerd);

/** Installs it if it is missing. Returns its path, or why it is not available. */
export const provisionWorkerd = () => provisionNpmProgram(workerd);
