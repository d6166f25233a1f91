import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Json, toJson } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import type { MessagePartOf } from '#shared/run/message.ts';
import type { McpToolDefinition } from './tool-definition.ts';

/** Maximum characters of text and of base64 in a result; the rest is truncated or omitted, with a note. */
const mostText = 256 * 1024;
const mostImage = 4 * 1024 * 1024;

type Block = CallToolResult['content'][number];
type Part = MessagePartOf<'text'> | MessagePartOf<'image'>;

/**
 * Converts a server's answer to the tool's result: the structured content if the tool has an output schema; text if it is only text; otherwise
 * a list of parts (text and images, as in messages). Other content becomes a line of text that names it. Throws `ToolError` `Other` with the
 * text of a result that reports an error.
 */
export function toolResult({ name, output_schema }: McpToolDefinition, result: CallToolResult): Json {
  const parts = joinTexts(capped(result.content.map(partOf)));
  if (result.isError) throw new ToolError('Other', parts.map(textOf).join('\n').trim() || `${name} failed without an error message.`);
  if (output_schema !== undefined) {
    if (result.structuredContent === undefined)
      throw new ToolError('Serialize', `${name} has an output schema but returned no structured content.`);
    return result.structuredContent as Json;
  }
  if (parts.length === 0) return (result.structuredContent as Json | undefined) ?? '';
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : toJson(parts);
}

function partOf(block: Block): Part {
  switch (block.type) {
    case 'text':
      return note(block.text);
    case 'image':
      if (block.data.length > mostImage) return note(`[an image (${block.mimeType}) of ${sizeOf(block.data)}, too large to include]`);
      return { type: 'image', media_type: block.mimeType, data: block.data };
    case 'audio':
      return note(`[audio (${block.mimeType}) of ${sizeOf(block.data)}, not kept]`);
    case 'resource_link':
      return note(`[a link to ${block.name}: ${block.uri}]`);
    case 'resource':
      if ('text' in block.resource) return note(block.resource.text);
      return note(`[the resource ${block.resource.uri} of ${sizeOf(block.resource.blob)}, binary, not included]`);
  }
}

function note(text: string): Part {
  return { type: 'text', text };
}

function textOf(part: Part): string {
  return part.type === 'text' ? part.text : `[an image (${part.media_type})]`;
}

function capped(parts: readonly Part[]): Part[] {
  let room = mostText;
  return parts.flatMap((part): Part[] => {
    if (part.type !== 'text') return [part];
    const kept = part.text.slice(0, room);
    const lost = part.text.length - kept.length;
    room -= kept.length;
    return lost === 0 ? [part] : [note(`${kept}\n[cut off: ${lost} more characters]`)];
  });
}

/** Joins consecutive texts. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') joined[joined.length - 1] = note(`${last.text}\n${part.text}`);
    else joined.push(part);
  }
  return joined;
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KiB`;
}
