import { section, type TestName } from './row';

const SIZES: TestName = ['image', 'has size %s and no extra_fields'];
const IMAGE: TestName = ['image', 'outputs an item and a file named after the prompt'];
const EXTRA: TestName = ['image', 'contains aspect ratio, image size, and temperature in extra_fields'];
const REFERENCES: TestName = [
	'image',
	'contains reference images from addresses, data URIs, and files in order',
];
const size = (value: string) => [value, 'Image › Generate › Size', SIZES] as const;

const SPOKEN: TestName = ['speech', 'streams a short text in one request into a file with its actual type'];
const LONG: TestName = ['speech', 'is one playable %s file without missing sentences'];
const VOICES: TestName = ['voices', 'has one item for each voice, with all its fields or simplified'];

const CREATED: TestName = [
	'voiceModel',
	'creates a voice from two binary fields that is then in the list of own voices and usable for speech',
];
const NAMES_REASON: TestName = ['voiceModel', 'names the reason: %s'];
const PUBLIC: TestName = [
	'voiceModel',
	'creates a public voice without an email address, and uses the other path and extra fields',
];

/** Sections 4.4 to 4.7: images, speech, and voices. */
export const media = [
	section('4.4', 'POST /v1/images/generations', [
		['model', 'Image › Generate › Model', IMAGE],
		['prompt', 'Image › Generate › Prompt', IMAGE],
		['size', 'Image › Generate › Size', SIZES],
		['extra_fields', ['Image › Generate › Options', 'Image › Generate › Reference Images'], EXTRA],
		size('1024x1024'),
		size('1024x1792'),
		size('1792x1024'),
		size('512'),
		size('1K'),
		size('2K'),
		size('4K'),
		[
			'A size not in the table',
			['Image › Generate › Size', 'Image › Generate › Custom Size'],
			['image', 'contains a custom size unchanged, and is not sent with an empty one'],
		],
		[
			'Default output is native 2K.',
			'Image › Generate › Size',
			SIZES,
			'The size is required, so the node always sends one: 1024 × 1024 unless another one is selected.',
		],
		['`aspect_ratio` (string, e.g. `16:9`)', 'Image › Generate › Options › Aspect Ratio', EXTRA],
		['`temperature` (number)', 'Image › Generate › Options › Temperature', EXTRA],
		['`reference_images` (array of strings;', 'Image › Generate › Reference Images', REFERENCES],
		['`image_size` (string, e.g. `4K` for upscaling)', 'Image › Generate › Options › Image Size', EXTRA],
		[
			'When both `image_size` and `aspect_ratio` are given they override',
			['Image › Generate › Options › Image Size', 'Image › Generate › Options › Aspect Ratio'],
			EXTRA,
		],
		[
			'Without `extra_fields`, only `prompt` and `size` are used.',
			'Image › Generate',
			['imageRequest', 'has no extra_fields when none of them is set'],
		],
		[
			'Invalid fields inside `extra_fields` are ignored and generation proceeds.',
			'Image › Generate › Options › Aspect Ratio',
			['imageRequest', 'accepts white space and rejects other formats'],
			'The gateway would charge for an image with another shape, so the node rejects an invalid ratio before it is paid for. Any other field of extra_fields can be sent with Extra Body Fields.',
		],
		[
			'An inaccessible reference URL is passed to the model as is',
			'Image › Generate › Reference Images',
			['imageBatches', 'mentions Reference Images when one of them cannot be opened'],
		],
		['Response: image generation response (2.6).', 'Image › Generate › {url}', IMAGE],
	]),
	section('4.5', 'POST /v1/audio/speech', [
		['model', ['Speech › Create › Model', 'Speech › Join Items › Model'], SPOKEN],
		['input', ['Speech › Create › Text', 'Speech › Join Items › Text'], SPOKEN],
		[
			'maximum about 4096 characters',
			['Speech › Create › Long Text', 'Speech › Create › Options › Characters per Part'],
			LONG,
		],
		['voice', ['Speech › Create › Voice', 'Speech › Join Items › Voice'], SPOKEN],
		['response_format', ['Speech › Create › Format', 'Speech › Join Items › Format'], LONG],
		[
			'(others may be supported)',
			'Speech › Create › Custom Format',
			['speech', 'rejects parts that cannot be joined before they are paid for, or keeps all of them'],
		],
		['speed', 'Speech › Create › Options › Speed', SPOKEN],
		[
			'Response: 200 with the audio file as a binary stream in the requested format.',
			['Speech › Create › Put Output File in Field', 'Speech › Create › {mimeType}'],
			SPOKEN,
		],
	]),
	section('4.6', 'GET /v1/audio/voices', [
		[
			'`success` (boolean, true on success)',
			'= The item fails when it says no',
			['speech', 'fails when the answer reports that it did not succeed'],
		],
		['`voice_characters` (array, 2.8)', ['Speech › Get Many Voices', 'Speech › Create › Voice'], VOICES],
		[
			'`total` (integer, number of voices available to the account)',
			'Speech › Get Many Voices › {total}',
			['speech', 'comes from the alternative path only when the first path does not exist'],
		],
		[
			'Includes built-in and custom voices.',
			['Speech › Get Many Voices › Visibility', 'Voice Model › Get Many'],
			CREATED,
		],
		[
			'One example calls the path `/v1/voice/models/list` for the same list.',
			['Speech › Get Many Voices › Options › List Path', 'Voice Model › Get Many › Options › List Path'],
			['speech', 'comes from the alternative path only when the first path does not exist'],
		],
	]),
	section('4.7', 'POST /v1/voice/model', [
		[
			'Body is `multipart/form-data`.',
			'Voice Model › Create',
			['voiceRoutes', 'rejects JSON, a form without a boundary, and a form that ends early'],
		],
		[
			'one description names the path `/v1/voice-clone/create-model`',
			'Voice Model › Create › Options › Create Path',
			PUBLIC,
		],
		['name', 'Voice Model › Create › Name', CREATED],
		[
			'audio_files',
			['Voice Model › Create › Samples', 'Voice Model › Create › Input Data Field Name'],
			CREATED,
		],
		['Two or three `.wav` files', 'Voice Model › Create › Samples', NAMES_REASON],
		[
			'16 kHz or 24 kHz, mono recommended',
			'= A hint next to the output',
			['voiceModel', 'shows a hint when a recording differs from the recommendations'],
		],
		[
			'at least 10 s each, 10 to 60 s advised',
			'= The node measures each recording before it is sent',
			NAMES_REASON,
		],
		[
			'web console also accepts `.mp3`, `.m4a`',
			'Voice Model › Create › Samples',
			NAMES_REASON,
			'Only the console accepts these formats; the endpoint takes WAV.',
		],
		[
			'reference_texts',
			['Voice Model › Create › Samples › Transcript', 'Voice Model › Create › Transcript'],
			['voiceModel', 'groups samples of several items by name, in order, and links the voice to its items'],
		],
		['public', 'Voice Model › Create › Public', PUBLIC],
		['description', 'Voice Model › Create › Description', CREATED],
		['contact_email', 'Voice Model › Create › Contact Email', PUBLIC],
		['Response: voice model creation result (2.10).', 'Voice Model › Create › {name}', CREATED],
	]),
];
