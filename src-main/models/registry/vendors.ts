import { anthropic } from '#main/models/providers/anthropic.ts';
import { gemini } from '#main/models/providers/gemini.ts';
import { openAi } from '#main/models/providers/openai.ts';
import type { Vendor } from '#main/models/vendor.ts';

/** The vendors with their own URL scheme. */
export const vendors: readonly Vendor[] = [openAi, anthropic, gemini];
