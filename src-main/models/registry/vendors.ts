import { anthropic } from '#main/models/providers/anthropic.ts';
import { gemini } from '#main/models/providers/gemini.ts';
import { openAi } from '#main/models/providers/openai.ts';
import type { Vendor } from '#main/models/vendor.ts';
import type { HostedName } from '#shared/flow/providers.ts';

/** The clients of the providers of `SCHEME://MODEL`. */
export const vendors: Readonly<Record<HostedName, Vendor>> = { openai: openAi, anthropic, gemini };
