import { findNpmProgram, provisionNpmProgram } from './npm-program.mjs';

/** The inspector of the MCP project, which calls a server as clients do. */
const inspector = { name: '@modelcontextprotocol/inspector', version: '2.12.0', bin: 'mcp-inspector', what: 'the MCP inspector' };

/** Path of the program when it has been provisioned, or null. */
export const findMcpInspector = () => findNpmProgram(inspector);

/** Installs it if it is missing. Returns its path, or why it is not available. */
export const provisionMcpInspector = () => provisionNpmProgram(inspector);
