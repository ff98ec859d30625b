import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { findModel } from '../catalogue/findModel';
import { countTokens } from '../chat/tokens';
import { invalidRequest } from '../http/errors';
import { jsonBody } from '../http/jsonBody';
import { vectorOf } from '../ranking/vector';

/** The interface shows no limits (4.12); these are those of comparable services. */
const mostInputs = 2_048;
const mostTokens = 8_192;

const embeddingRequest = z.object({
	model: z.string(),
	input: z.union([
		z.string(),
		z.array(z.string()).min(1, 'there is no text').max(mostInputs, `at most ${mostInputs} texts are allowed`),
	]),
	encoding_format: z.enum(['float', 'base64']).default('float'),
	dimensions: z.number().int().min(1).optional(),
	/** Some clients name their user. */
	user: z.string().optional(),
});

function checkText(text: string, field: string): void {
	if (text.trim() === '') throw invalidRequest(`Invalid value for "${field}": it is empty.`);
	const tokens = countTokens(text);
	if (tokens <= mostTokens) return;
	throw invalidRequest(
		`Invalid value for "${field}": it has ${tokens} tokens, at most ${mostTokens} are allowed.`,
	);
}

/** The vector as numbers, or as the base64 of its 32-bit floats, lowest byte first. */
function encoded(vector: Float32Array, format: 'float' | 'base64'): number[] | string {
	if (format === 'float') return [...vector];
	const bytes = Buffer.alloc(vector.length * 4);
	vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
	return bytes.toString('base64');
}

/** `POST /v1/embeddings` (section 4.12): vectors whose cosine follows the words that texts have in common. */
export const embeddingRoutes: FastifyPluginAsync = async (app) => {
	app.post('/v1/embeddings', async (request) => {
		const { model: id, input, encoding_format: format, dimensions } = jsonBody(request, embeddingRequest);
		const { dimensions: most = 1 } = findModel(id, 'embedding');
		if (dimensions !== undefined && dimensions > most) {
			throw invalidRequest(`Invalid value for "dimensions": "${id}" has at most ${most}.`);
		}
		const texts = [input].flat();
		texts.forEach((text, index) => checkText(text, typeof input === 'string' ? 'input' : `input[${index}]`));

		const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
		return {
			object: 'list',
			data: texts.map((text, index) => ({
				object: 'embedding',
				index,
				embedding: encoded(vectorOf(text, dimensions ?? most), format),
			})),
			model: id,
			usage: { prompt_tokens: tokens, total_tokens: tokens },
		};
	});
};
