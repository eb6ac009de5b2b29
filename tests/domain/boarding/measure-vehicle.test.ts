import { describe, expect, test } from 'vitest';
import { applyMeasurement } from '#domain/boarding/measure-vehicle.ts';

const car = { type: 'car', length_cm: 400, trailer_cm: 150 };
const paid = { lengthCm: 550, heightCm: 220 };

describe('applyMeasurement', () => {
  test('keeps what was booked of a vehicle that is not larger', () => {
    expect(applyMeasurement(car, { length_cm: 520, height_cm: 220 }, paid)).toEqual({
      vehicle: car,
      isLarger: false,
    });
  });

  test('adds what is longer to the vehicle, because its trailer is measured with it', () => {
    expect(applyMeasurement(car, { length_cm: 600, height_cm: null }, paid)).toEqual({
      vehicle: { ...car, length_cm: 450 },
      isLarger: true,
    });
  });

  test('has the measured size if it is another one than booked', () => {
    const van = { length_cm: 500, height_cm: 240, vehicle_type: 'van' };
    expect(applyMeasurement(car, van, paid)).toEqual({
      vehicle: { type: 'van', length_cm: 500, height_cm: 240 },
      isLarger: true,
    });
    expect(applyMeasurement(car, { ...van, vehicle_type: 'car', height_cm: null }, paid).isLarger).toBe(
      false,
    );
  });

  test('adds the height of a vehicle that is too high for the deck that it paid for', () => {
    expect(applyMeasurement(car, { length_cm: 500, height_cm: 221 }, paid)).toEqual({
      vehicle: { ...car, height_cm: 221 },
      isLarger: true,
    });
  });
});
