import { z } from 'zod';
import { visibilitySchema } from '../shared/gateway/voices';
import { looseText } from '../shared/http/looseSchemas';

/** Voice model creation result (interface, 2.10). Fields beyond the interface are kept. */
export const voiceModelSchema = z
	.object({ model_name: z.string().min(1), public: visibilitySchema, description: looseText })
	.passthrough();

export type VoiceModel = z.infer<typeof voiceModelSchema>;
