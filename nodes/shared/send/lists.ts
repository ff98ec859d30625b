import { answerFailure, DENIED } from '../errors/errorMessages';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { deniesSuccess } from '../errors/errorInside';
import { LooseFields, underUsualName } from '../answer/looseFields';
import { unusable } from '../answer/schemas';
import { asRecord, numberOf } from '../plain/values';
import type { GatewayClient, RequestOptions } from './client';
import { endpoints } from './endpoints';

/** A model (interface, 2.1). Fields beyond the interface are kept. */
export type Model = Record<string, unknown> & { id: string };

/** A voice (interface, 2.8). Fields beyond the interface are kept. */
export type Voice = Record<string, unknown> & { name: string; description?: string; public?: unknown };

/** A list, and what the user may want to know about it. */
export interface Listed<T> {
	entries: T[];
	/** About entries that could not be read, or are missing. */
	hint: string | undefined;
	/** Each entry as the gateway sent it. */
	sent: Map<T, unknown>;
	/** The response without the entries that could be read. */
	rest: Record<string, unknown>;
}

/** The models that the key may use (interface, 4.11). */
export async function fetchModels(
	client: GatewayClient,
	options: RequestOptions = {},
): Promise<Listed<Model>> {
	return readModels(await client.json({ ...options, endpoint: endpoints.models }));
}

/** Reads a list of models. @throws GatewayFailure (kind `answer`) when there is none */
export function readModels(body: unknown): Listed<Model> {
	// Gemini and Ollama have `models` with a `name`.
	return listed(body, ['data', 'models'], (entry) => {
		const fields = asRecord(entry);
		const id = nameIn(fields, ['id', 'name']);
		return id === undefined ? undefined : { ...fields, id };
	});
}

/**
 * The voices that the account may use, from whichever of the two documented paths the gateway has (interface, 4.6).
 *
 * @param startsWithOther whether to begin with the second of the paths
 */
export async function fetchVoices(
	client: GatewayClient,
	options: RequestOptions = {},
	startsWithOther = false,
): Promise<Listed<Voice>> {
	const fetch = async (endpoint: typeof endpoints.voices | typeof endpoints.voicesAlternative) =>
		readVoices(await client.json({ ...options, endpoint }));
	const paths = [endpoints.voices, endpoints.voicesAlternative] as const;
	const [first, second] = startsWithOther ? [paths[1], paths[0]] : paths;
	try {
		return await fetch(first);
	} catch (error) {
		const isMissing = error instanceof GatewayFailure && error.facts.status === 404;
		if (isMissing) return await fetch(second);
		throw toFailure(error);
	}
}

/** Reads a list of voices. @throws GatewayFailure (kind `answer`) when there is none */
export function readVoices(body: unknown): Listed<Voice> {
	// ElevenLabs has `voices`.
	const voices = listed<Voice>(body, ['voice_characters', 'voices'], (entry) => {
		const fields = asRecord(entry);
		const name = nameIn(fields, ['name', 'voice_id']);
		if (name === undefined) return undefined;
		const description = fields?.description;
		return { ...fields, name, description: typeof description === 'string' ? description : undefined };
	});
	const { entries, hint } = voices;
	const total = totalOf(voices);
	if (total === undefined || total <= entries.length) return voices;
	const missing = `The gateway lists only ${entries.length} of ${total} voices`;
	return { ...voices, hint: hint === undefined ? missing : `${missing}. ${hint}` };
}

/** How many voices the account has, as the gateway counts them. */
export function totalOf({ rest }: Pick<Listed<Voice>, 'rest'>): number | undefined {
	return numberOf(rest.total);
}

function listed<T>(body: unknown, names: string[], read: (entry: unknown) => T | undefined): Listed<T> {
	const found = underUsualName(body, names);
	if (deniesSuccess(body)) throw unusable(answerFailure(DENIED), body);
	if (!found) throw unusable(answerFailure(`it has no list in the field "${names[0]}"`), body);
	const fields = new LooseFields();
	const sent = new Map<T, unknown>();
	const entries = fields.list(found.value, found.name, (entry) => {
		const one = read(entry);
		if (one !== undefined) sent.set(one, entry);
		return one;
	});
	const used = new Set(sent.values());
	const unread = found.value.filter((entry) => !used.has(entry));
	return { entries, hint: fields.hint, sent, rest: found.restWith(unread) };
}

function nameIn(fields: Record<string, unknown> | undefined, names: string[]): string | undefined {
	for (const name of names) {
		const value = fields?.[name];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** Whether everybody may use a voice. */
export function isPublic({ public: value }: { public?: unknown }): boolean {
	return value === true || (typeof value === 'string' && /^(public|true)$/i.test(value.trim()));
}
