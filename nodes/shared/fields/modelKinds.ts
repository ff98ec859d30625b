import type { INodeListSearchItems } from 'n8n-workflow';

/**
 * Words in the ID of a model that tell its kind; the first one that occurs counts. Gateways list the models of all
 * vendors by their usual names, so the names of families count as well. A model whose ID tells nothing is a chat model,
 * as most are, or anything else.
 */
const WORDS = [
	['reranking', /rerank/],
	['embedding', /embed|\b(bge|gte|e5|m3e)\b/],
	['moderation', /moderation|\bguard\b/],
	['transcription', /whisper|transcri|speech to text|\b(asr|stt)\b/],
	['chat', /\b(chat|llm|vision|vl|instruct)\b/],
	['music', /music|\b(suno|chirp|udio|lyria|song)\b/],
	['video', /video|\b(sora|veo\d*|kling|runway|hailuo|seedance|t2v|i2v)\b/],
	['speech', /speech|\b(tts|voice|voices)\b/],
	[
		'image',
		/image|imagine|\b(dalle?|flux|sd|sdxl|sd3|stable diffusion|midjourney|mj|seedream|kolors|ideogram|recraft|cogview|hidream|t2i)\b/,
	],
] as const;

export type ModelKind = (typeof WORDS)[number][0];

/** The kind of model that an ID tells; undefined when it tells none. */
export function kindOfModel(id: string): ModelKind | undefined {
	const words = id
		.toLowerCase()
		.replace(/dall[-_ ]e/g, 'dalle')
		.replace(/[^a-z\d]+/g, ' ');
	return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/**
 * All models as entries of a list for one kind of node: first those of this kind, then those whose ID tells nothing, and
 * last those of another kind, which their name says. Nothing is left out, because an ID may mislead.
 */
export function modelEntries(ids: string[], kind: ModelKind): INodeListSearchItems[] {
	return rankedModels(ids, kind).map(({ entry }) => entry);
}

/** The models of a kind, or else those whose ID tells nothing, or else all. */
export function fittingEntries(ids: string[], kind: ModelKind): INodeListSearchItems[] {
	const models = rankedModels(ids, kind);
	const best = models.filter(({ place }) => place[0] === models[0].place[0]);
	return best.map(({ entry }) => entry);
}

function rankedModels(ids: string[], kind: ModelKind): Array<{ place: string; entry: INodeListSearchItems }> {
	const models = [...new Set(ids)].map((id) => {
		const known = kindOfModel(id) ?? (kind === 'chat' ? 'chat' : undefined);
		if (known === kind) return { place: '0', entry: { name: id, value: id } };
		const place = known === undefined ? '1' : `2${known}`;
		return { place, entry: { name: `${id} (${known ?? 'other'} model)`, value: id } };
	});
	return models.sort(
		(one, other) => one.place.localeCompare(other.place) || one.entry.name.localeCompare(other.entry.name),
	);
}
