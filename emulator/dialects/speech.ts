import { blocks } from '../audio/blocks';
import { mp3File } from '../audio/mp3';
import { melody } from '../audio/speech';
import { type AnswerFile, type Dialect, type DialectContext, type Meaning, variant } from './dialect';
import { isObject } from './json';
import { NEW_VOICES, SPEECH } from './routes';

const inJson = (
	name: string,
	says: string,
	change: (base64: string, file: AnswerFile, context: DialectContext) => unknown,
) =>
	variant({
		name: `speech-${name}`,
		description: `Speech as JSON: ${says}`,
		routes: SPEECH,
		file: (file, context) => ({ json: change(file.bytes.toString('base64'), file, context) }),
	});

/** An utterance as MP3, whatever was asked for. */
function mp3(): Buffer {
	const utterance = { text: 'Something else', voice: 'Sunny', speed: 1 };
	return Buffer.concat([...blocks(mp3File(melody(utterance)))]);
}

const isMp3: Meaning = { kind: 'same', file: 'audio/mpeg' };
const other = (name: string, says: string, declared?: string) =>
	variant({
		name: `speech-${name}`,
		description: `Asked for WAV, answered MP3, declared as ${says}`,
		routes: SPEECH,
		meaning: isMp3,
		file: (file) =>
			file.contentType.includes('wav') ? { contentType: declared ?? file.contentType, bytes: mp3() } : file,
	});

const declared = (name: string, type: string) =>
	variant({
		name: `speech-declared-${name}`,
		description: `Speech that is declared as \`${type}\``,
		routes: SPEECH,
		// Only MP3 can be declared in several ways.
		file: (file) => (file.contentType === 'audio/mpeg' ? { ...file, contentType: type } : file),
	});

const newVoice = (name: string, says: string, change: (voice: Record<string, unknown>) => unknown) =>
	variant({
		name: `new-voice-${name}`,
		description: `A created voice as ${says}`,
		routes: NEW_VOICES,
		json: (value) => (isObject(value) ? change(value) : value),
	});

/** Speech and created voices as other gateways return them. */
export const speechShapes: readonly Dialect[] = [
	inJson('audio', '`{audio: Base64}`', (audio) => ({ audio })),
	inJson('data-audio', '`{data: {audio: Base64}}`', (audio) => ({ data: { audio } })),
	inJson('audio-data', '`{audio: {data: Base64}}`', (data) => ({ audio: { data } })),
	inJson('data-hex', '`{data: {audio: hex}}`', (_base64, { bytes }) => ({
		data: { audio: bytes.toString('hex'), status: 2 },
		base_resp: { status_code: 0, status_msg: 'success' },
	})),
	inJson('data-uri', '`{audio: data URI}`', (base64, { contentType }) => ({
		audio: `data:${contentType};base64,${base64}`,
	})),
	inJson('url', '`{url}`', (_base64, file, { publish }) => ({ url: publish(file) })),
	inJson('audio-url', '`{audio_url}`', (_base64, file, { publish }) => ({ audio_url: publish(file) })),
	inJson('data-url', '`{data: {url}}`', (_base64, file, { publish }) => ({ data: { url: publish(file) } })),
	other('wav-as-mp3', 'WAV'),
	other('mp3-for-wav', 'MP3', 'audio/mpeg'),
	declared('octet-stream', 'application/octet-stream'),
	declared('mp3-without-dash', 'audio/mp3'),
	newVoice('in-data', '`{data: {model_name, …}}`', (data) => ({ data })),
	newVoice('name', '`{name, …}`', ({ model_name: name, ...others }) => ({ name, ...others })),
	newVoice('in-data-name', '`{data: {name, …}}`', ({ model_name: name, ...others }) => ({
		data: { name, ...others },
	})),
];
