import { z } from 'zod';

/** Text that gateways may also send as null or omit. */
export const looseText = z
	.string()
	.nullish()
	.transform((value) => value ?? '');

/** A token count that gateways may also send as null or omit. */
export const looseCount = z
	.number()
	.nullish()
	.transform((value) => value ?? undefined);

/** Like {@link looseText} without the transformation, which costs time when an answer is read for each of many items. */
export const maybeText = z.string().nullish();

/** Like {@link looseCount} without the transformation. */
export const maybeCount = z.number().nullish();
