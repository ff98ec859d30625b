import { fileNameFrom } from '../shared/files/fileName';
import { multipartBody, type FormPart } from './multipartBody';
import type { RequestBody } from '../shared/http/requestBody';
import type { Sample } from './samples';
import type { VoiceRequest } from './voiceRequest';

/**
 * The form of a voice (interface, 4.7): texts first, then the recordings; the transcripts stand in the order
 * of the recordings.
 *
 * @param extraFields win over the form's own texts; a list becomes several fields of one name
 */
export function voiceForm(
	{ name, isPublic, description, contactEmail }: Omit<VoiceRequest, 'samples'>,
	samples: Sample[],
	extraFields: Record<string, unknown>,
): RequestBody {
	const own: FormPart[] = [
		{ field: 'name', text: name },
		{ field: 'public', text: String(isPublic) },
		...(description ? [{ field: 'description', text: description }] : []),
		...(contactEmail ? [{ field: 'contact_email', text: contactEmail }] : []),
		...samples.map(({ transcript }) => ({ field: 'reference_texts', text: transcript })),
	];
	const extra = Object.entries(extraFields).flatMap(([field, value]) =>
		[value].flat().map((one) => ({ field, text: typeof one === 'string' ? one : JSON.stringify(one) })),
	);
	const files = samples.map(({ file }, index) => ({
		field: 'audio_files',
		fileName: wavName(file.fileName, index + 1),
		contentType: 'audio/wav',
		source: file,
	}));
	return multipartBody([...own.filter((part) => !(part.field in extraFields)), ...extra, ...files]);
}

/** Gateways go by the end of the name; the recording is known to be WAV whatever it is called. */
function wavName(fileName = '', number: number): string {
	return fileNameFrom(fileName.replace(/\.[^.]*$/, ''), `sample-${number}`, 'wav');
}
