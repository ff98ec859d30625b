import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { inspectWav } from '../audio/inspectWav';
import type { VoiceList } from '../catalogue/voices';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import type { FormFile, MultipartForm } from '../http/multipart';

const samples = { min: 2, max: 3, minSeconds: 10 };
const textFields = ['name', 'reference_texts', 'public', 'description', 'contact_email'];

function formOf(request: FastifyRequest): MultipartForm {
	const { received, treatment } = exchangeOf(request);
	const { form } = received;
	if (!form) throw invalidRequest('Send the body as Content-Type: multipart/form-data.', 415);
	if (form.fault !== undefined) throw invalidRequest(`The form cannot be read: ${form.fault}.`);
	if (form.fields.some(({ name }) => name === 'audio_files')) {
		throw invalidRequest('Invalid value for "audio_files": expected files with file names.');
	}
	const textFile = form.files.find(({ field }) => textFields.includes(field));
	if (textFile)
		throw invalidRequest(`Invalid value for "${textFile.field}": expected text, received a file.`);
	if (treatment.checkUndocumented) checkNames(form);
	return form;
}

function checkNames({ fields, files }: MultipartForm): void {
	const names = [...fields.map(({ name }) => name), ...files.map(({ field }) => field)];
	const unknown = names.find((name) => name !== 'audio_files' && !textFields.includes(name));
	if (unknown !== undefined) throw invalidRequest(`Unknown field "${unknown}".`);
}

function valuesOf({ fields }: MultipartForm, wanted: string): string[] {
	return fields.filter(({ name }) => name === wanted).map(({ value }) => value);
}

function single(form: MultipartForm, name: string): string | undefined {
	const values = valuesOf(form, name);
	if (values.length > 1)
		throw invalidRequest(`Invalid value for "${name}": it is there ${values.length} times.`);
	return values[0];
}

function checkSample(file: FormFile, index: number): void {
	const field = `"audio_files[${index}]" (${file.fileName})`;
	if (file.bytes === 0) throw invalidRequest(`Invalid value for ${field}: the file is empty.`);
	if (!/\.wav$/i.test(file.fileName))
		throw invalidRequest(`Invalid value for ${field}: only .wav files are accepted.`);
	const wav = inspectWav(file.start, file.bytes);
	if (!wav) throw invalidRequest(`Invalid value for ${field}: it is not a readable WAV file.`);
	if (wav.seconds < samples.minSeconds) {
		throw invalidRequest(
			`Invalid value for ${field}: it lasts ${wav.seconds.toFixed(1)} s, at least ${samples.minSeconds} s are needed.`,
		);
	}
}

function checkSamples(form: MultipartForm): void {
	const files = form.files.filter(({ field }) => field === 'audio_files');
	const texts = valuesOf(form, 'reference_texts');
	if (files.length === 0) throw invalidRequest('Missing required field "audio_files".');
	if (files.length < samples.min || files.length > samples.max) {
		throw invalidRequest(
			`Invalid value for "audio_files": ${files.length} files, ${samples.min} or ${samples.max} are needed.`,
		);
	}
	if (texts.length === 0) throw invalidRequest('Missing required field "reference_texts".');
	if (texts.length !== files.length) {
		throw invalidRequest(
			`Invalid value for "reference_texts": ${texts.length} transcripts for ${files.length} audio files.`,
		);
	}
	const empty = texts.findIndex((text) => text.trim() === '');
	if (empty >= 0) throw invalidRequest(`Invalid value for "reference_texts[${empty}]": it is empty.`);
	files.forEach(checkSample);
}

function isPublicIn(form: MultipartForm): boolean {
	const value = single(form, 'public') ?? 'false';
	if (value !== 'true' && value !== 'false') {
		throw invalidRequest(`Invalid value for "public": expected "true" or "false", received "${value}".`);
	}
	return value === 'true';
}

function checkContact(form: MultipartForm, checkAddress: boolean): void {
	const contact = single(form, 'contact_email');
	if (!contact)
		throw invalidRequest('Missing required field "contact_email": it is required when "public" is false.');
	if (checkAddress && !/^[^\s@]+@[^\s@]+$/.test(contact)) {
		throw invalidRequest('Invalid value for "contact_email": it is not an e-mail address.');
	}
}

/**
 * Serves the voice list (sections 2.8 and 4.6) and the creation of voices (section 4.7), each under both of its paths.
 * A created voice is listed and can speak immediately.
 */
export const voiceRoutes: FastifyPluginAsync<{ voices: VoiceList }> = async (app, { voices }) => {
	for (const path of ['/v1/audio/voices', '/v1/voice/models/list']) {
		app.get(path, async () => ({
			success: true,
			voice_characters: voices.all,
			total: voices.all.length,
		}));
	}

	for (const path of ['/v1/voice/model', '/v1/voice-clone/create-model']) {
		app.post(path, async (request) => {
			const form = formOf(request);
			const name = single(form, 'name')?.trim();
			if (!name) throw invalidRequest('Missing required field "name".');
			if (voices.has(name))
				throw invalidRequest(`Invalid value for "name": there is a voice "${name}" already.`);
			checkSamples(form);
			const isPublic = isPublicIn(form);
			if (!isPublic) checkContact(form, exchangeOf(request).treatment.checkUndocumented);
			const description = single(form, 'description') ?? '';
			voices.add({ name, public: isPublic ? 'public' : 'private', description });
			return { model_name: name, public: isPublic, description };
		});
	}
};
