import { answerFailure, DENIED } from '../failure/words';
import { GatewayFailure, toFailure } from '../failure/failure';
import { deniesSuccess } from '../failure/errorBody';
import { OptionalFields, underUsualName } from '../answer/optionalFields';
import { unusable } from '../answer/answerReaders';
import { asRecord, firstTextIn, numberOf } from '../plain/values';
import type { GatewayClient } from './client';
import type { RequestOptions } from './layer';
import { endpoints, type Endpoint } from './endpoints';

/** A model (interface, 2.1). Fields beyond the interface are kept. */
export type Model = Record<string, unknown> & { id: string };

/** A voice (interface, 2.8). Fields beyond the interface are kept. */
export type Voice = Record<string, unknown> & { name: string; description?: string; public?: unknown };

interface Listed<T> {
	entries: T[];
	/** A hint about entries that could not be read, or are missing. */
	hint: string | undefined;
	/** Each entry as the gateway sent it. */
	sent: Map<T, unknown>;
	/** The response without the entries that could be read. */
	rest: Record<string, unknown>;
}

/** Fetches the models that the key may use (interface, 4.11). */
export async function fetchModels(client: GatewayClient, options: RequestOptions): Promise<Listed<Model>> {
	return await client.json({ ...options, endpoint: endpoints.models }, readModels);
}

/** Reads a list of models. @throws GatewayFailure (kind `answer`) when there is none */
export function readModels(body: unknown): Listed<Model> {
	// Gemini and Ollama have `models` with a `name`.
	const models = listed(body, ['data', 'models'], ['id', 'name'], (fields, id) => ({ ...fields, id }));
	// Anthropic sends a page of 20 (https://docs.anthropic.com/en/api/models-list), Gemini one of 50, with a token.
	if (models.rest.has_more !== true && !models.rest.nextPageToken) return models;
	return withMissing(models, `The gateway lists only its first ${models.entries.length} models`);
}

/** Fetches the voices of the account, from whichever of the two documented paths the gateway has (interface, 4.6). */
export async function fetchVoices(client: GatewayClient, options: RequestOptions): Promise<Listed<Voice>> {
	const fetch = async (endpoint: Endpoint) => await client.json({ ...options, endpoint }, readVoices);
	try {
		return await fetch(endpoints.voices);
	} catch (error) {
		const isMissing = error instanceof GatewayFailure && error.facts.status === 404;
		if (isMissing) return await fetch(endpoints.voicesAlternative);
		throw toFailure(error);
	}
}

/** The names of lists of voices: documented, of ElevenLabs, and of mlx-audio (#743). */
const VOICE_LISTS = ['voice_characters', 'voices', 'data'];

/** Reads a list of voices. @throws GatewayFailure (kind `answer`) when there is none */
export function readVoices(body: unknown): Listed<Voice> {
	const voices = listed<Voice>(body, VOICE_LISTS, ['name', 'voice_id', 'id'], (fields, name) => {
		const { description } = fields;
		return { ...fields, name, description: typeof description === 'string' ? description : undefined };
	});
	const { length } = voices.entries;
	const total = numberOf(voices.rest.total);
	if (total === undefined || total <= length) return voices;
	return withMissing(voices, `The gateway lists only ${length} of ${total} voices`);
}

function withMissing<T>(list: Listed<T>, missing: string): Listed<T> {
	return { ...list, hint: list.hint === undefined ? missing : `${missing}. ${list.hint}` };
}

/** Reads a list of objects with a name. @param lists names that the list may have, the documented one first */
function listed<T>(
	body: unknown,
	lists: string[],
	names: string[],
	read: (fields: Record<string, unknown>, name: string) => T,
): Listed<T> {
	const answer = asRecord(body);
	// Ollama without a model sends null, as programs in Go may for an empty list.
	const isEmpty = answer?.object === 'list' && answer.data === null;
	const found = underUsualName(isEmpty ? { ...answer, data: [] } : body, lists);
	if (deniesSuccess(body)) throw unusable(answerFailure(DENIED), body);
	if (!found) throw unusable(answerFailure(`it has no list in the field "${lists[0]}"`), body);
	const fields = new OptionalFields();
	const sent = new Map<T, unknown>();
	const unread: unknown[] = [];
	const entries = fields.list(found.value, found.name, (entry) => {
		// Kokoro-FastAPI and omlx list only names (Kokoro-FastAPI#462).
		const record = asRecord(entry) ?? (typeof entry === 'string' ? { [names[0]]: entry } : {});
		const name = firstTextIn(record, names);
		if (name === undefined) return void unread.push(entry);
		const one = read(record, name);
		sent.set(one, entry);
		return one;
	});
	return { entries, hint: fields.hint, sent, rest: found.restWith(unread) };
}

/** Says who may use a voice, with the label that the gateway sends (interface, 2.8); undefined for none. */
export function visibilityOf({ public: value }: { public?: unknown }): string | undefined {
	const label = typeof value === 'boolean' || typeof value === 'string' ? String(value).trim() : '';
	if (/^(true|false)$/i.test(label)) return /^t/i.test(label) ? 'public' : 'private';
	return label || undefined;
}

/** Tells whether everybody may use a voice. */
export function isPublic(voice: { public?: unknown }): boolean {
	return visibilityOf(voice)?.toLowerCase() === 'public';
}
