"""Tests of the plugin in the real host, against the command. The test script sets the environment
variables DNDI_PLUGIN and DNDI_COMMAND, which name both."""

import os
import random
import subprocess
import sys
import tempfile
import unittest

import vapoursynth as vs

import clips

core = vs.core
core.std.LoadPlugin(os.environ["DNDI_PLUGIN"])
DNDI = os.environ["DNDI_COMMAND"]


def command(clip, *options, chunk="20:10"):
    """The frames that the command makes of a clip."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "in.y4m"), os.path.join(folder, "out.y4m")
        clip.write(source)
        run = subprocess.run([DNDI, "-q", "--chunk", chunk, *options, source, result], capture_output=True, text=True)
        if run.returncode:
            raise AssertionError(run.stderr)
        return clips.read_y4m(result)


def frames(node):
    return [clips.samples(frame) for frame in node.frames()]


CHUNKS = {"chunk": 20, "warmup": 10}


class SameAsCommand(unittest.TestCase):
    def check(self, clip, node, *options):
        expected = command(clip, *options)
        self.assertEqual(node.num_frames, len(expected))
        for n, (found, wanted) in enumerate(zip(frames(node), expected)):
            self.assertTrue(found == wanted, f"frame {n} of {len(expected)}")
        # A test of copies would find nothing.
        self.assertNotEqual(expected[3], b"".join(clip.frames[3]))

    def test_field_rate(self):
        clip = clips.interlaced()
        self.check(clip, core.dndi.Deinterlace(clip.node(), **CHUNKS))
        clip = clips.still()
        node = clip.node()
        self.check(clip, core.dndi.Deinterlace(node, order="tff", **CHUNKS), "--field-order", "tff")

    def test_frame_rate_and_options(self):
        clip = clips.interlaced(vs.YUV422P10)
        node = core.dndi.Deinterlace(clip.node(), order="tff", rate="frame", deinterlacer="gen6", mcdi=False, film="off",
                                     denoise="medium", denoise_chroma="light", depth=8, dither="none", **CHUNKS)
        self.check(clip, node, "--field-order", "tff", "--rate", "frame", "--deinterlacer", "gen6", "--mcdi", "off", "--film", "off",
                   "--denoise", "medium", "--denoise-chroma", "light", "--depth", "8", "--dither", "none")

    def test_repair_and_filters(self):
        clip = clips.interlaced(frames=30)
        node = core.dndi.Deinterlace(clip.node(), drop_outs=True, chroma_shift="-1,0.5", denoise="light", denoise_filter="5x5", **CHUNKS)
        self.check(clip, node, "--drop-outs", "--chroma-shift=-1,0.5", "--denoise", "light", "--denoise-filter", "5x5")

    def test_preset(self):
        clip = clips.interlaced(frames=24)
        self.check(clip, core.dndi.Deinterlace(clip.node(), preset="best", rate="frame", **CHUNKS), "--preset", "best", "--rate", "frame")

    def test_detelecine(self):
        clip = clips.telecined()
        node = core.dndi.Detelecine(clip.node(), denoise="off", **CHUNKS)
        self.assertEqual((node.fps.numerator, node.fps.denominator), (24000, 1001))
        self.check(clip, node, "--rate", "film", "--denoise", "off")

    def test_denoise(self):
        clip = clips.still(order="p")
        self.check(clip, core.dndi.Denoise(clip.node(), **CHUNKS), "--deinterlace", "off")
        # The clip shows where chunks begin and how long their warm-up is.
        results = [frames(core.dndi.Denoise(clip.node(), chunk=chunk, warmup=9)) for chunk in (20, 21)]
        results.append(frames(core.dndi.Denoise(clip.node(), **CHUNKS)))
        self.assertEqual([result[19] == results[0][19] for result in results], [True] * 3)
        self.assertEqual([result[20] == results[0][20] for result in results], [True, False, False])
        node = core.dndi.Denoise(clip.node(), denoise="strong", denoise_motion=True, **CHUNKS)
        self.check(clip, node, "--deinterlace", "off", "--denoise", "strong", "--denoise-motion", "on")

    def test_denoise_of_fields(self):
        clip = clips.still(vs.YUV420P16)
        node = core.dndi.Denoise(clip.node(), denoise="on", set=["stad_th=100"], **CHUNKS)
        self.check(clip, node, "--deinterlace", "off", "--denoise", "on", "--set", "stad_th=100")

    def test_scale(self):
        off = ("--deinterlace", "off", "--denoise", "off")
        clip = clips.progressive(frames=20)
        self.check(clip, core.dndi.Scale(clip.node(), 160, 90), *off, "--scale", "160x90")
        self.check(clip, core.dndi.Scale(clip.node(), scale="0.5x", crop="8,4,64,48", colorspace="bt601:bt709-full"),
                   *off, "--scale", "0.5x", "--crop", "8,4,64,48", "--colorspace", "bt601:bt709-full")
        node = core.dndi.Scale(clip.node(), brightness=10.5, saturation=1.2, tcc_colors="red=1.5", auto_contrast=30, **CHUNKS)
        self.check(clip, node, *off, "--brightness", "10.5", "--saturation", "1.2", "--tcc-colors", "red=1.5", "--auto-contrast=30")
        deep = clips.interlaced(vs.YUV420P10, frames=20)
        node = core.dndi.Scale(deep.node(), height=128, sharpen="detail5", chroma_location="topleft", **CHUNKS)
        self.check(deep, node, *off, "--scale", ":128", "--sharpen", "detail5", "--chroma-location", "topleft")

    def test_samplings(self):
        for format, sampling in [(vs.GRAY8, 0), (vs.YUV444P8, 0), (vs.YUV411P8, 1), (vs.GRAY16, 0)]:
            clip = clips.interlaced(format, frames=8)
            node = core.dndi.Deinterlace(clip.node(), **CHUNKS)
            self.assertEqual((node.format.subsampling_w, node.format.subsampling_h), (sampling, 0))
            self.check(clip, node)

    def test_vspipe(self):
        script = (f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
                  "import clips, vapoursynth as vs\n"
                  f"vs.core.std.LoadPlugin({os.environ['DNDI_PLUGIN']!r})\n"
                  "vs.core.dndi.Deinterlace(clips.interlaced().node(), chunk=20, warmup=10).set_output()\n")
        with tempfile.TemporaryDirectory() as folder:
            path, result = os.path.join(folder, "script.vpy"), os.path.join(folder, "out.y4m")
            with open(path, "w") as file:
                file.write(script)
            vspipe = os.path.join(os.path.dirname(sys.executable), "vspipe")
            run = subprocess.run([vspipe, "-c", "y4m", path, result], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(clips.read_y4m(result), command(clips.interlaced()))


class RandomAccess(unittest.TestCase):
    def setUp(self):
        self.threads = core.num_threads

    def tearDown(self):
        core.num_threads = self.threads

    def test_any_order(self):
        for clip, options in [(clips.still(), {"order": "tff"}), (clips.telecined(), {"rate": "film"})]:
            create = lambda: core.dndi.Deinterlace(clip.node(), denoise_motion=True, chunk=12, warmup=5, **options)
            linear = frames(create())
            order = list(range(len(linear)))
            random.Random(3).shuffle(order)
            for numbers in (order, order[::-1], range(len(linear) - 1, -1, -1)):
                node = create()
                core.clear_cache()
                for n in numbers:
                    self.assertTrue(clips.samples(node.get_frame(n)) == linear[n], f"frame {n}")

    def test_threads_and_jobs(self):
        clip = clips.still()
        results = []
        for threads, jobs in [(1, 1), (1, 3), (4, 1), (4, 4)]:
            core.num_threads = threads
            node = core.dndi.Deinterlace(clip.node(), chunk=7, warmup=5, jobs=jobs, order="tff")
            results.append(frames(node))
            waiting = [node.get_frame_async(n) for n in random.Random(threads).sample(range(node.num_frames), 60)]
            numbers = random.Random(threads).sample(range(node.num_frames), 60)
            self.assertTrue(all(clips.samples(frame.result()) == results[-1][n] for frame, n in zip(waiting, numbers)))
        self.assertTrue(all(result == results[0] for result in results))

    def test_several_clips(self):
        a, b = clips.interlaced(), clips.interlaced(vs.YUV422P10, noise=3.0)
        alone = [frames(core.dndi.Deinterlace(clip.node(), chunk=9)) for clip in (a, b)]
        nodes = [core.dndi.Deinterlace(clip.node(), chunk=9) for clip in (a, b)]
        for n in range(nodes[0].num_frames):
            for node, expected in zip(nodes, alone):
                self.assertTrue(clips.samples(node.get_frame(n)) == expected[n])
        # Filters in a row: chunks of chunks.
        chain = core.dndi.Scale(core.dndi.Denoise(nodes[1], chunk=6), 48, 32)
        linear = frames(chain)
        self.assertEqual(clips.samples(chain.get_frame(37)), linear[37])


class Properties(unittest.TestCase):
    def test_times(self):
        source = clips.interlaced().node()
        clip = core.std.FrameEval(source, lambda n: source.std.SetFrameProps(_AbsoluteTime=n / 25, number=n))
        props = [core.dndi.Deinterlace(clip).get_frame(n).props for n in (0, 7)]
        self.assertEqual([(p["_DurationNum"], p["_DurationDen"]) for p in props], [(1, 50)] * 2)
        self.assertAlmostEqual(props[1]["_AbsoluteTime"], 7 / 50)
        self.assertEqual((props[1]["number"], props[1]["_FieldBased"]), (3, 0))
        film = core.dndi.Detelecine(clips.telecined().node()).get_frame(9).props
        self.assertEqual((film["_DurationNum"], film["_DurationDen"]), (1001, 24000))

    def test_rates(self):
        node = clips.interlaced().node()
        for rate, fps, count in [("field", 50, 100), ("frame", 25, 50)]:
            result = core.dndi.Deinterlace(node, rate=rate)
            self.assertEqual((result.fps, result.num_frames), (fps, count))

    def test_field_order_is_honoured(self):
        clip = clips.interlaced(frames=6)
        results = []
        for order in "tb":
            clip.order = order
            node = core.dndi.Deinterlace(clip.node(), order="header", film="off")
            results.append(frames(node))
            self.assertTrue(results[-1] == command(clip, "--field-order", "header", "--film", "off"))
        self.assertNotEqual(*results)
        # Frames that stay interlaced keep the property.
        self.assertEqual(core.dndi.Denoise(clip.node()).get_frame(0).props["_FieldBased"], 1)

    def test_colors(self):
        node = clips.progressive(vs.YUV420P8, frames=2).node()
        full = node.std.SetFrameProps(_Range=1, _Matrix=1)
        # The range decides how samples get more bits.
        deep = [core.dndi.Scale(clip, depth=16).get_frame(0) for clip in (node, full)]
        self.assertEqual(clips.samples(deep[0])[:2], bytes([0, clips.samples(node.get_frame(0))[0]]))
        self.assertNotEqual(clips.samples(deep[0]), clips.samples(deep[1]))
        self.assertEqual(deep[1].props["_Range"], 1)
        props = core.dndi.Scale(full, colorspace="bt709:bt2020-limited").get_frame(0).props
        self.assertEqual((props["_Matrix"], props["_Range"]), (9, 0))
        same = core.dndi.Scale(full, colorspace="bt2020-limited").get_frame(0)
        self.assertEqual(clips.samples(same), clips.samples(core.dndi.Scale(full, colorspace="bt709-full:bt2020-limited").get_frame(0)))

    def test_chroma_location(self):
        node = clips.progressive(vs.YUV420P8, frames=2).node()
        centre = node.std.SetFrameProps(_ChromaLocation=1)
        scaled = [core.dndi.Scale(clip, 60, 40).get_frame(0) for clip in (node, centre)]
        self.assertEqual([frame.props["_ChromaLocation"] for frame in scaled], [0, 1])
        self.assertNotEqual(clips.samples(scaled[0]), clips.samples(scaled[1]))
        dv = core.dndi.Deinterlace(clips.interlaced(vs.YUV411P8, frames=4).node()).get_frame(0)
        self.assertEqual(dv.props["_ChromaLocation"], 0)


class Errors(unittest.TestCase):
    def check(self, message, function, *arguments, **named):
        with self.assertRaisesRegex(vs.Error, message):
            function(*arguments, **named)

    def test_arguments(self):
        node = clips.interlaced(frames=4).node()
        d = core.dndi
        self.check("dndi.Deinterlace: order: no field order 'top'; there are: auto, header", d.Deinterlace, node, "top")
        self.check("rate: no output rate 'double'", d.Deinterlace, node, rate="double")
        self.check("set: write NAME=VALUE", d.Deinterlace, node, set="stad_th")
        self.check("set: stad_th = 1000 is outside 0…255", d.Denoise, node, set=["stad_th=1000"])
        self.check("no parameter 'foo'", d.Denoise, node, set=["foo=1"])
        self.check("denoise_chroma: no denoise mode 'much'", d.Denoise, node, denoise_chroma="much")
        self.check("chunk must be 1 to", d.Denoise, node, chunk=0)
        self.check("7 bits|depth", d.Denoise, node, depth=7)
        self.check("scale and width or height: use one", d.Scale, node, 64, scale="2x")
        self.check("write WxH", d.Scale, node, scale="big")
        self.check("500x500 at 0,0 does not lie", d.Scale, node, crop="0,0,500,500")
        self.check("VapourSynth has no frames of 33x22", d.Scale, node.std.SetFieldBased(0), 33, 22)

    def test_clips(self):
        node = clips.progressive(frames=4).node()
        self.check("interlaced", core.dndi.Deinterlace, node, order="progressive", deinterlace="on")
        self.check("field matching", core.dndi.Detelecine, node, film="off")
        for format in (vs.RGB24, vs.YUV444PS, vs.YUV440P8, vs.YUV410P8, vs.GRAY32):
            self.check("format must|sampling must|bits", core.dndi.Denoise, core.std.BlankClip(format=format, length=2))
        mixed = core.std.Splice([core.std.BlankClip(length=1, width=64), core.std.BlankClip(length=1, width=32)], mismatch=True)
        self.check("varying", core.dndi.Denoise, mixed)

    def test_a_source_that_fails(self):
        def fail(n, f):
            if n == 30:
                raise RuntimeError("broken frame")
            return f

        clip = clips.interlaced().node()
        node = core.dndi.Deinterlace(core.std.ModifyFrame(clip, clip, fail), chunk=10, warmup=2)
        # Chunk 0 does not need the frame; chunk 3 does.
        self.assertEqual(node.get_frame(5).width, clips.SIZE[0])
        self.check("broken frame", node.get_frame, 65)
        self.assertEqual(node.get_frame(99).width, clips.SIZE[0])


if __name__ == "__main__":
    unittest.main()
