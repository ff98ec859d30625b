import { z } from 'zod';
import { looseText } from '../http/looseSchemas';

/** Documented as a label of voices and a boolean of new models; both are taken everywhere. */
const visibility = z.union([z.string(), z.boolean()]).nullish();

/** Voice list (interface, 2.8 and 4.6). Fields beyond the interface are kept. */
export const voiceListSchema = z
	.object({
		success: z
			.boolean()
			.nullish()
			.refine((success) => success !== false, 'the gateway says that it did not succeed'),
		voice_characters: z.array(
			z.object({ name: z.string().min(1), public: visibility, description: looseText }).passthrough(),
		),
		total: z.number().nullish(),
	})
	.passthrough();

export type Voice = z.infer<typeof voiceListSchema>['voice_characters'][number];

/** Voice model creation result (interface, 2.10). Fields beyond the interface are kept. */
export const voiceModelSchema = z
	.object({ model_name: z.string().min(1), public: visibility, description: looseText })
	.passthrough();

export type VoiceModel = z.infer<typeof voiceModelSchema>;

/** Whether everybody may use a voice. */
export function isPublic({ public: value }: Pick<Voice, 'public'>): boolean {
	return value === true || (typeof value === 'string' && /^(public|true)$/i.test(value.trim()));
}

/** Which voices are wanted. */
export interface VoiceFilter {
	/** Part of the name or description, in any case; empty for all. */
	text: string;
	/** `all`, `public` or `private`. */
	visibility: string;
}

/** The voices that fit a filter. */
export function filterVoices(voices: Voice[], { text, visibility: wanted }: VoiceFilter): Voice[] {
	const part = text.trim().toLowerCase();
	return voices.filter(
		(voice) =>
			`${voice.name} ${voice.description}`.toLowerCase().includes(part) &&
			(wanted === 'all' || isPublic(voice) === (wanted === 'public')),
	);
}

/** A voice with its visibility as a boolean. */
export function simplifyVoice(voice: Voice): { name: string; description: string; public: boolean } {
	return { name: voice.name, description: voice.description, public: isPublic(voice) };
}
