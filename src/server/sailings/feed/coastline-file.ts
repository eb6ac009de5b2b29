import * as z from 'zod/mini';
import type { Coastline } from '#domain/map/coastline.ts';
import { readJson } from '#server/csv/problems.ts';
import type { FeedInput } from './feed-tables.ts';

export const COASTLINE_FILE = 'coastline.geojson';

const PositionSchema = z.pipe(
  z.tuple([z.number().check(z.gte(-180), z.lte(180)), z.number().check(z.gte(-90), z.lte(90))], z.unknown()),
  z.transform(([lon, lat]): readonly [number, number] => [lon, lat]),
);
const LineSchema = z.array(PositionSchema).check(z.minLength(2));
const PolygonSchema = z.array(z.array(PositionSchema).check(z.minLength(4)));

const GeometrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('LineString'), coordinates: LineSchema }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(LineSchema) }),
  z.object({ type: z.literal('Polygon'), coordinates: PolygonSchema }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(PolygonSchema) }),
]);
type Geometry = z.infer<typeof GeometrySchema>;

const FeatureSchema = z.object({ type: z.literal('Feature'), geometry: GeometrySchema });
const CollectionSchema = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

/** The operator's coastline for the map of its routes, as GeoJSON. Null: the feed has none, or a problem was found. */
export function readCoastline({ files, problems }: FeedInput): Coastline | null {
  const contents = files.get(COASTLINE_FILE);
  if (!contents) return null;
  const json = readJson({ file: COASTLINE_FILE, contents, problems });
  if (json === undefined) return null;
  const collection = CollectionSchema.safeParse(json);
  const features = collection.success ? collection.data.features : [json];
  const geometries = features.flatMap((feature, index) => {
    const geometry = readGeometry(feature);
    if (geometry) return [geometry];
    const name = collection.success ? `Feature ${index + 1}` : 'The file';
    problems.add(
      COASTLINE_FILE,
      null,
      null,
      `${name} is not a LineString, MultiLineString, Polygon or MultiPolygon of GeoJSON with longitudes and latitudes.`,
    );
    return [];
  });
  return { rings: geometries.flatMap(listRings), lines: geometries.flatMap(listLines) };
}

function readGeometry(feature: unknown): Geometry | null {
  const own = FeatureSchema.safeParse(feature);
  const geometry = own.success ? own.data.geometry : GeometrySchema.safeParse(feature).data;
  return geometry ?? null;
}

/** Only the outer rings: lakes are not drawn. */
function listRings({ type, coordinates }: Geometry): Coastline['rings'] {
  if (type === 'Polygon') return coordinates.slice(0, 1);
  return type === 'MultiPolygon' ? coordinates.flatMap((polygon) => polygon.slice(0, 1)) : [];
}

function listLines({ type, coordinates }: Geometry): Coastline['lines'] {
  if (type === 'LineString') return [coordinates];
  return type === 'MultiLineString' ? coordinates : [];
}
