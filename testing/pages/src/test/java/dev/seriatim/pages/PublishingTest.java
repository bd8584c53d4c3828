// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What a public repository of artefacts asks of the POMs that are published. */
class PublishingTest {

    private static final Pattern MODULE = Pattern.compile("(?m)^module (dev\\.seriatim(?:\\.\\w+)*) \\{$");
    private static final String RELEASE = "/project/profiles/profile[id='release']";

    /** The one that has only a name, since its client cannot be modules: docs/decisions/0025. */
    private static final String WITHOUT_DESCRIPTOR = "stores/spanner";

    private static final Pom PARENT = Pom.read("pom.xml");
    private static final Pom BOM = Pom.read("bom/pom.xml");

    @ParameterizedTest
    @MethodSource("published")
    void a_published_pom_says_all_that_is_asked(Pom pom) {
        assertThat(pom.own("/project/groupId | /project/parent/groupId")).isEqualTo("dev.seriatim");
        assertThat(pom.own("/project/name")).isNotEmpty();
        assertThat(pom.own("/project/description")).isNotEmpty().endsWith(".");
        assertThat(pom.own("/project/packaging")).isIn("", "jar", "pom");

        String repository = "https://" + pom.effective("/project/properties/seriatim.repository");
        assertThat(repository).matches("https://[\\w.-]+/[\\w./-]+");
        assertThat(pom.effective("/project/url")).isEqualTo(repository);
        assertThat(pom.effective("/project/scm/url")).isEqualTo(repository);
        assertThat(pom.effective("/project/scm/connection")).isEqualTo("scm:git:" + repository + ".git");
        assertThat(pom.effective("/project/scm/developerConnection"))
                .isEqualTo("scm:git:" + repository.replace("https://", "ssh://git@") + ".git");

        assertThat(pom.effective("/project/licenses/license/name")).isEqualTo("Apache-2.0");
        assertThat(pom.effective("/project/licenses/license/url"))
                .isEqualTo("https://www.apache.org/licenses/LICENSE-2.0.txt");
        assertThat(pom.effective("/project/developers/developer/name")).isNotEmpty();
    }

    /** Maven would add a module's name to what it inherits, and the links would lead nowhere. */
    @Test
    void links_are_inherited_as_they_are() {
        for (String link : List.of(
                "@child.project.url.inherit.append.path",
                "scm/@child.scm.url.inherit.append.path",
                "scm/@child.scm.connection.inherit.append.path",
                "scm/@child.scm.developerConnection.inherit.append.path")) {
            assertThat(PARENT.own("/project/" + link)).as(link).isEqualTo("false");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void there_is_one_version(Pom pom) {
        String own = "/project/version | /project[not(version)]/parent[groupId='dev.seriatim']/version";
        assertThat(pom.own(own)).isEqualTo(PARENT.own("/project/version"));
        assertThat(pom.texts("//version[contains(., 'SNAPSHOT')]"))
                .as("versions that are snapshots")
                .containsOnly(PARENT.own("/project/version"));
    }

    @Test
    void the_bom_lists_exactly_the_libraries_that_are_published() {
        List<String> libraries =
                libraries().map(pom -> pom.own("/project/artifactId")).toList();
        assertThat(libraries).contains("seriatim-core", "seriatim-jdbc").doesNotContain("seriatim-servers");
        String managed = "/project/dependencyManagement/dependencies/dependency";
        assertThat(BOM.texts(managed + "/artifactId")).containsExactlyInAnyOrderElementsOf(libraries);
        assertThat(BOM.texts(managed + "/groupId")).containsOnly("dev.seriatim");
        assertThat(BOM.texts(managed + "/version")).hasSameSizeAs(libraries).containsOnly("${project.version}");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void a_published_library_depends_on_nothing_of_ours_that_is_not(Pom pom) {
        List<String> libraries =
                libraries().map(library -> library.own("/project/artifactId")).toList();
        assertThat(pom.texts("//dependency[groupId='dev.seriatim'][not(scope='test')]/artifactId"))
                .isSubsetOf(libraries);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void a_published_library_is_a_module(Pom pom) {
        Path descriptor = Repository.ROOT.resolve(pom.folder()).resolve("src/main/java/module-info.java");
        if (pom.folder().equals(WITHOUT_DESCRIPTOR)) {
            assertThat(descriptor).doesNotExist();
            assertThat(pom.own("//manifestEntries/Automatic-Module-Name")).isEqualTo("dev.seriatim.spanner");
        } else {
            assertThat(descriptor).exists();
            assertThat(Repository.read(descriptor)).containsPattern(MODULE);
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void sources_and_documentation_go_with_a_published_library(Pom pom) {
        assertThat(pom.texts("//maven.source.skip | //maven.javadoc.skip")).isEmpty();
    }

    /** It has no parent, and so repeats what publishes it. */
    @Test
    void the_bom_is_published_as_the_others_are() {
        assertThat(BOM.own("/project/properties/seriatim.repository"))
                .isEqualTo(PARENT.own("/project/properties/seriatim.repository"));
        for (String property : List.of("seriatim.staging", "altDeploymentRepository", "maven.install.skip")) {
            String said = RELEASE + "/properties/" + property;
            assertThat(BOM.own(said)).isNotEmpty().isEqualTo(PARENT.own(said));
        }
        String configuration = "//plugin[artifactId='%s']//configuration";
        String rules = RELEASE + configuration.formatted("maven-enforcer-plugin") + "/rules/*";
        assertThat(BOM.texts(rules)).hasSize(3).isEqualTo(PARENT.texts(rules));
        assertThat(BOM.pluginVersion("maven-enforcer-plugin")).isEqualTo(PARENT.pluginVersion("maven-enforcer-plugin"));
        assertThat(BOM.pluginVersion("maven-deploy-plugin")).isEqualTo(PARENT.pluginVersion("maven-deploy-plugin"));
        assertThat(BOM.pluginVersion("maven-gpg-plugin")).isEqualTo(PARENT.pluginVersion("maven-gpg-plugin"));
    }

    private static Stream<Pom> all() {
        return Stream.concat(
                Stream.of(PARENT),
                PARENT.texts("//modules/module").stream()
                        .map(module -> module + "/pom.xml")
                        .map(Pom::read));
    }

    private static Stream<Pom> published() {
        return all().filter(
                        pom -> !pom.own("/project/properties/maven.deploy.skip").equals("true"));
    }

    private static Stream<Pom> libraries() {
        return published().filter(pom -> !pom.own("/project/packaging").equals("pom"));
    }

    /** A POM as it is written; the module's, or the parent's. */
    private record Pom(String file, Element root) {

        private static final XPath PATHS = XPathFactory.newInstance().newXPath();
        private static final Pattern PROPERTY = Pattern.compile("\\$\\{([\\w.-]+)}");

        static Pom read(String file) {
            try {
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
                return new Pom(
                        file,
                        factory.newDocumentBuilder()
                                .parse(Repository.ROOT.resolve(file).toFile())
                                .getDocumentElement());
            } catch (Exception e) {
                throw new AssertionError("cannot read " + file, e);
            }
        }

        String folder() {
            return file.replaceFirst("/?pom\\.xml$", "");
        }

        /** Without what is inherited; empty if it is missing. */
        String own(String path) {
            List<String> found = texts(path);
            return found.isEmpty() ? "" : found.get(0);
        }

        /** With what is inherited, and with the values of properties. */
        String effective(String path) {
            String own = own(path);
            String said = own.isEmpty() && !own("/project/parent").isEmpty() ? PARENT.own(path) : own;
            return PROPERTY.matcher(said).replaceAll(property -> effective("/project/properties/" + property.group(1)));
        }

        String pluginVersion(String plugin) {
            String version = own("//plugin[artifactId='" + plugin + "']/version");
            assertThat(version).as(plugin + " in " + file).isNotEmpty();
            return PROPERTY.matcher(version).replaceAll(property -> own("/project/properties/" + property.group(1)));
        }

        List<String> texts(String path) {
            synchronized (PATHS) {
                try {
                    NodeList nodes = (NodeList) PATHS.evaluate(path, root, XPathConstants.NODESET);
                    return new ArrayList<>(IntStream.range(0, nodes.getLength())
                            .mapToObj(nodes::item)
                            .map(Node::getTextContent)
                            .map(String::strip)
                            .toList());
                } catch (XPathExpressionException e) {
                    throw new AssertionError(path, e);
                }
            }
        }

        @Override
        public String toString() {
            return file;
        }
    }
}
