import { type AnswerFile, type Dialect, variant } from './dialect';
import { isObject, type JsonObject, objectsIn } from './json';
import { IMAGE_FILES, IMAGES } from './routes';

/** A GIF of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
/** A JPEG of one pixel. */
const JPEG = Buffer.from(
	'/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
	'base64',
);

const created = { created: null };

/** How the images of an answer are passed on. Text alone cannot tell Base64 from an address, so it is only for addresses. */
const shaped = (name: string, says: string, change: (images: JsonObject[]) => unknown, onlyUrls = false) =>
	variant({
		name: `images-${name}`,
		description: `Images as ${says}`,
		routes: IMAGES,
		meaning: { kind: 'same', loose: created },
		json: (value) => {
			const images = isObject(value) ? objectsIn(value.data) : [];
			return onlyUrls && images.some(({ url }) => !url) ? value : change(images);
		},
	});

const single = (images: JsonObject[], change: (image: JsonObject) => unknown) =>
	images.length === 1 ? change(images[0]) : { data: images };

const SHAPES: Dialect[] = [
	shaped('under-images', '`{images: […]}`', (images) => ({ images })),
	shaped('data-object', '`{data: {url}}`', (images) => single(images, (image) => ({ data: image }))),
	shaped('data-texts', '`{data: [url]}`', (images) => ({ data: images.map(({ url }) => url) }), true),
	shaped('alone', '`{url}`', (images) => single(images, (image) => image)),
	shaped('bare', 'a bare list', (images) => images),
	shaped('bare-texts', 'a bare list of addresses', (images) => images.map(({ url }) => url), true),
	shaped('output-texts', '`{output: [url]}`', (images) => ({ output: images.map(({ url }) => url) }), true),
	shaped(
		'image-url',
		'`{data: [{image_url}]}`',
		(images) => ({ data: images.map(({ url }) => ({ image_url: url })) }),
		true,
	),
	shaped('empty-strings', '`{url, b64_json: "", revised_prompt: ""}`', (images) => ({
		data: images.map((image) => ({ url: '', b64_json: '', revised_prompt: '', ...image })),
	})),
];

const files = (name: string, type: string, file: Omit<AnswerFile, 'contentType'> & { declared?: string }) =>
	variant({
		name: `image-file-${name}`,
		description: `Image files that are ${type}, declared as ${file.declared ?? 'PNG'}`,
		routes: IMAGE_FILES,
		meaning: { kind: 'same', file: type },
		file: (regular) => ({ contentType: file.declared ?? regular.contentType, bytes: file.bytes }),
	});

const inJson = (name: string, type: string, bytes: Buffer) =>
	variant({
		name: `image-json-${name}`,
		description: `\`b64_json\` that is ${type}, without a word about it`,
		routes: IMAGES,
		meaning: { kind: 'same', file: type },
		json: (value) => {
			const whole = value as JsonObject;
			const data = objectsIn(whole.data).map((image) =>
				image.b64_json ? { ...image, b64_json: bytes.toString('base64') } : image,
			);
			return { ...whole, data };
		},
	});

/** Images as other gateways return them. */
export const imageShapes: readonly Dialect[] = [
	...SHAPES,
	files('gif', 'image/gif', { bytes: GIF }),
	files('jpeg', 'image/jpeg', { bytes: JPEG }),
	files('untyped', 'image/jpeg', { bytes: JPEG, declared: 'application/octet-stream' }),
	inJson('gif', 'image/gif', GIF),
	inJson('jpeg', 'image/jpeg', JPEG),
];
