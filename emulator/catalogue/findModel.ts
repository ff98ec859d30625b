import { invalidRequest } from '../http/errors';
import { type Model, type ModelKind, models } from './models';

const purposes: Record<ModelKind, string> = {
	chat: 'chat',
	image: 'image generation',
	speech: 'speech',
	music: 'music generation',
	rerank: 'reranking',
	embedding: 'embeddings',
};

/**
 * Returns the model with exactly this id.
 * @throws RequestFailure 400 if it does not exist or is of another kind (section 7)
 */
export function findModel(id: string, kind: ModelKind): Model {
	const model = models.find((candidate) => candidate.id === id);
	if (!model) {
		const similar = models.find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
		const hint = similar ? ` Model ids are case-sensitive: did you mean "${similar.id}"?` : '';
		throw invalidRequest(`Invalid value for "model": there is no model "${id}".${hint}`);
	}
	if (model.kind !== kind) {
		throw invalidRequest(`Invalid value for "model": "${id}" cannot be used for ${purposes[kind]}.`);
	}
	return model;
}
