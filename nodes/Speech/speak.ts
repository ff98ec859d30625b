import type { Answer } from '../shared/answer/answerReaders';
import { inputFailure } from '../shared/failure/words';
import { GatewayFailure } from '../shared/failure/failure';
import { firstWords } from '../shared/files/storeFile';
import type { Call } from '../shared/run/call';
import type { Paid } from '../shared/run/payments';
import { endpoints } from '../shared/send/endpoints';
import { type Link, receiveAudio, type StoredAudio, storeSpeech } from './audioAnswer';
import { CHARACTERS_PER_PART, MODEL, REMOVE_FORMATTING, SPEED, TEXT, VOICE } from './fields';
import { spokenText } from './spokenText/spokenText';
import { namedLimit, type NamedLimit } from '../shared/failure/statusWords';
import { textOr } from '../shared/plain/values';

/** A speech request (interface, 4.5) without its text. */
export interface SpeechSettings {
	model: string;
	voice: string;
	format: string;
	speed: number | undefined;
	/** Maximum length of a part, in characters; undefined if the text is not split. */
	partLength: number | undefined;
}

/** Reads the settings of speech. @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
export function readSpeech(call: Call, ownFormat: string): SpeechSettings & { partLength: number } {
	const { extraBodyFields: extra, options } = call;
	const [model, voice] = [call.picked(MODEL), call.picked(VOICE)];
	// The format that is sent decides how the audio is named and joined.
	const format = textOr(extra.response_format).toLowerCase() || ownFormat;
	const partLength = Math.floor(options.numberOrDefault(CHARACTERS_PER_PART));
	// A text in Extra Body Fields replaces that of each part, so each part would pay for it again.
	const longest = 'input' in extra ? Number.POSITIVE_INFINITY : partLength;
	return { model, voice, format, speed: options.number(SPEED), partLength: longest };
}

/** Reads the text of an item, without its formatting. @throws GatewayFailure (kind `input`) if there is none */
export function readTextToSpeak(call: Call): string {
	const text = call.requiredText(TEXT);
	if (!call.flag(REMOVE_FORMATTING)) return text;
	const spoken = spokenText(text);
	if (spoken !== '') return spoken;
	throw inputFailure(
		TEXT,
		'contains nothing to read aloud',
		`It consists only of what is not read aloud, such as code, links, or emoji. Check the text, or turn off ${REMOVE_FORMATTING.displayName}.`,
	);
}

/** Generates speech from one text, and streams it into the binary store. @param title names the file */
export async function speak(
	call: Call,
	settings: SpeechSettings,
	text: string,
	title = '',
): Promise<Paid<StoredAudio>> {
	const { model, voice, format, speed } = settings;
	const request = {
		...call.requestOptions,
		endpoint: endpoints.speech,
		streamed: 'audio' as const,
		json: { model, input: text, voice, response_format: format, speed, ...call.extraBodyFields },
	};
	const name = title === '' ? firstWords(text) : title;
	const store = async (answer: Answer) => await storeSpeech(call, answer, name, format);
	const receive = async (answer: Answer) => await receiveAudio(answer, store);
	const filesOf = (received: StoredAudio | Link) => ('link' in received ? [] : [received.file]);
	const paid = await call.pay(request, receive, { filesOf }).catch((error: unknown) => {
		throw error instanceof GatewayFailure ? withPartLength(error, settings.partLength) : error;
	});
	const { value } = paid;
	if (!('link' in value)) return { ...paid, value };
	const { link, cost } = value;
	const limits = { ...call.requestOptions, kind: 'audio' } as const;
	const download = async () => await call.client.download(link, store, limits);
	return { ...paid, value: { ...(await call.keepFile([link, name, format], download)), cost } };
}

/** The characters that fit into each unit of a limit: one has up to 3 bytes, and rarely more than 2 tokens. */
const CHARACTERS: Partial<Record<NamedLimit['unit'], number>> = {
	characters: 1,
	bytes: 1 / 3,
	tokens: 1 / 2,
};

/** Matches messages about a text that is too long: of OpenAI, ElevenLabs, DashScope ("[1, 600]"), and Chinese gateways. */
const TOO_LONG = /too[ _]long|max_character_limit|above_max_length|range of input length|[过超]长|长度超/i;
const TOO_LARGE = 413;

/** Adds advice on how to split a text that is too long for the gateway. Other failures stay unchanged. */
export function withPartLength(failure: GatewayFailure, partLength: number | undefined): GatewayFailure {
	const { kind, facts } = failure;
	if (kind !== 'request' && kind !== 'gateway') return failure;
	const limit = namedLimit(facts);
	const fitting = limit && Math.floor(limit.most * (CHARACTERS[limit.unit] ?? 0));
	const { status, gatewayMessage = '', code = '' } = facts;
	const isTooLong = status === TOO_LARGE || TOO_LONG.test(`${gatewayMessage} ${code}`);
	// A part that is shorter than the limit was refused for another reason.
	const splits = fitting ? partLength === undefined || fitting < partLength : !limit && isTooLong;
	if (!splits) return failure;
	const most = fitting ? `${fitting} or less` : 'a smaller number';
	const whole = partLength === undefined ? 'Long Text to "Split and Join", and ' : '';
	const advice = `To split the text into shorter requests, set ${whole}${CHARACTERS_PER_PART.displayName} in Limits and Retries to ${most}.`;
	return failure.advising(advice);
}
