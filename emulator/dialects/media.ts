import { type AnswerFile, type Dialect, type DialectContext, variant } from './dialect';
import { isObject, type JsonObject, objectsIn } from './json';
import { IMAGE_FILES, IMAGES, SPEECH } from './routes';

/** A JPEG of one pixel. */
const JPEG = Buffer.from(
	'/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
	'base64',
);

const imagesIn = (value: unknown) => (isObject(value) ? objectsIn(value.data) : []);

/** Shapes of image answers. */
export const imageShapes: readonly Dialect[] = [
	variant({
		name: 'images-under-images',
		description: 'Images as `{images: […]}`',
		source: 'SiliconFlow and fal: images',
		routes: IMAGES,
		meaning: { kind: 'same', variable: { created: null } },
		json: (value) => ({ images: imagesIn(value) }),
	}),
	variant({
		name: 'images-output',
		description: 'Images as `{output: [url]}`',
		source: 'Replicate: predictions',
		routes: IMAGES,
		meaning: { kind: 'same', variable: { created: null } },
		json: (value) => {
			const addresses = imagesIn(value).map(({ url }) => url);
			return addresses.every(Boolean) ? { output: addresses } : value;
		},
	}),
	variant({
		name: 'images-image-object',
		description: 'A single image as `{image: {url}}`',
		source: 'fal.ai: endpoints with one image',
		routes: IMAGES,
		meaning: { kind: 'same', variable: { created: null } },
		json: (value) => {
			const [{ url }, ...others] = imagesIn(value);
			return url && others.length === 0 ? { image: { url } } : value;
		},
	}),
	variant({
		name: 'images-empty-strings',
		description: 'Images as `{url, b64_json: "", revised_prompt: ""}`',
		source: 'New API: images',
		routes: IMAGES,
		meaning: { kind: 'same', variable: { created: null } },
		json: (value) => ({
			data: imagesIn(value).map((image) => ({ url: '', b64_json: '', revised_prompt: '', ...image })),
		}),
	}),
	variant({
		name: 'image-file-untyped',
		description: 'Image files that are image/jpeg, declared as binary/octet-stream',
		source: 'Amazon S3: default content type',
		routes: IMAGE_FILES,
		meaning: { kind: 'same', file: 'image/jpeg' },
		file: () => ({ contentType: 'binary/octet-stream', bytes: JPEG }),
	}),
	variant({
		name: 'image-json-jpeg',
		description: '`b64_json` that is image/jpeg',
		source: 'OpenAI: output_format',
		routes: IMAGES,
		meaning: { kind: 'same', file: 'image/jpeg' },
		json: (value) => ({
			...(value as JsonObject),
			data: imagesIn(value).map((image) =>
				image.b64_json ? { ...image, b64_json: JPEG.toString('base64') } : image,
			),
		}),
	}),
];

const inJson = (
	name: string,
	says: string,
	source: string,
	change: (file: AnswerFile, context: DialectContext) => unknown,
) =>
	variant({
		name: `speech-${name}`,
		description: `Speech as JSON: ${says}`,
		source,
		routes: SPEECH,
		file: (file, context) => ({ json: change(file, context) }),
	});

/** Shapes of speech answers. */
export const speechShapes: readonly Dialect[] = [
	inJson('audio-base64', '`{audio_base64}`', 'ElevenLabs: with-timestamps', ({ bytes }) => ({
		audio_base64: bytes.toString('base64'),
	})),
	inJson('audio-content', '`{audioContent: Base64}`', 'Google Cloud: text:synthesize', ({ bytes }) => ({
		audioContent: bytes.toString('base64'),
	})),
	inJson('data-hex', '`{data: {audio: hex}}`', 'MiniMax: T2A', ({ bytes }) => ({
		data: { audio: bytes.toString('hex'), status: 2 },
		base_resp: { status_code: 0, status_msg: 'success' },
	})),
	inJson('output-audio-url', '`{output: {audio: {url}}}`', 'DashScope: speech', (file, { publish }) => ({
		output: { audio: { url: publish(file) } },
	})),
];
