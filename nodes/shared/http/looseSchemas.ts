import { z } from 'zod';

/** Text that gateways also send as null or leave out. */
export const looseText = z
	.string()
	.nullish()
	.transform((value) => value ?? '');

/** A count of tokens; some gateways send null or leave it out. */
export const looseCount = z
	.number()
	.nullish()
	.transform((value) => value ?? undefined);

/** Like {@link looseText}, but as it came: it costs nothing where an answer is read for each of many items. */
export const maybeText = z.string().nullish();

/** Like {@link looseCount}, but as it came. */
export const maybeCount = z.number().nullish();
