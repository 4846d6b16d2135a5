# What `cmake --install` puts where, and the Debian package that CPack makes of it (app/package).
set(id io.github.kvplanner.KVPlanner)
set(made ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(MAKE_DIRECTORY ${made})

install(TARGETS kvplanner RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The man page is what --help says, so it is made by the program; a package compresses it, without the time, to be the same twice.
find_program(KV_GZIP gzip)
if(NOT CMAKE_CROSSCOMPILING AND KV_GZIP)
    add_custom_command(OUTPUT ${made}/kvplanner.1.gz
        COMMAND kvplanner help man > ${made}/kvplanner.1
        COMMAND ${KV_GZIP} -9nf ${made}/kvplanner.1
        DEPENDS kvplanner VERBATIM)
    add_custom_target(manpage ALL DEPENDS ${made}/kvplanner.1.gz)
    install(FILES ${made}/kvplanner.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/resources/completion/kvplanner.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kvplanner)
install(FILES ${PROJECT_SOURCE_DIR}/resources/completion/_kvplanner DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/resources/completion/kvplanner.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

if(KV_BUILD_UI)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/${id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME ${id}.xml)

    # Icons: the drawings as they are, and pixels for desktops that want them.
    set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
    set(type application-vnd.kvplanner.kvplan+json)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/${id}.svg DESTINATION ${icons}/scalable/apps)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/${type}.svg DESTINATION ${icons}/scalable/mimetypes)
    add_executable(kv_iconpng iconpng.cpp)
    target_link_libraries(kv_iconpng PRIVATE kv_warnings Qt6::Gui Qt6::Svg)
    target_compile_definitions(kv_iconpng PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_FOREACH)
    set(pngs)
    foreach(size 16 24 32 48 64 128 256 512)
        foreach(pair apps/${id} mimetypes/${type})
            cmake_path(GET pair FILENAME name)
            cmake_path(GET pair PARENT_PATH context)
            set(png ${made}/${size}/${name}.png)
            add_custom_command(OUTPUT ${png}
                COMMAND kv_iconpng ${PROJECT_SOURCE_DIR}/resources/icons/${name}.svg ${size} ${png}
                DEPENDS kv_iconpng ${PROJECT_SOURCE_DIR}/resources/icons/${name}.svg VERBATIM)
            list(APPEND pngs ${png})
            install(FILES ${png} DESTINATION ${icons}/${size}x${size}/${context})
        endforeach()
    endforeach()
    add_custom_target(iconpngs ALL DEPENDS ${pngs})
endif()

# A Debian package.
set(documents ${CMAKE_INSTALL_DATADIR}/doc/kvplanner)
file(CONFIGURE OUTPUT ${made}/copyright @ONLY CONTENT [[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: KV Planner

Files: *
Copyright: 2026 The KV Planner developers
License: GPL-3.0-or-later
 On Debian systems the full text of the GNU General Public License
 version 3 is in /usr/share/common-licenses/GPL-3.
]])
file(CONFIGURE OUTPUT ${made}/changelog @ONLY CONTENT [[
kvplanner (@PROJECT_VERSION@) stable; urgency=medium

  * Version @PROJECT_VERSION@.

 -- The KV Planner developers <kvplanner@users.noreply.github.com>  Sun, 29 Nov 2026 12:00:00 +0000
]])
file(GLOB accuracy ${PROJECT_SOURCE_DIR}/resources/help/accuracy*.md)
install(FILES ${accuracy} DESTINATION ${documents})
install(FILES ${made}/copyright DESTINATION ${documents})
if(KV_GZIP)
    execute_process(COMMAND ${KV_GZIP} -9nf ${made}/changelog)
    install(FILES ${made}/changelog.gz DESTINATION ${documents})
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kvplanner)
set(CPACK_PACKAGE_VENDOR "The KV Planner developers")
set(CPACK_PACKAGE_CONTACT "The KV Planner developers <kvplanner@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "plans the memory of serving large language models")
set(CPACK_PACKAGE_DESCRIPTION "Answers, while a slider is dragged, what the key-value cache of a large
language model costs, whether it fits on the given GPUs, and how many
sequences can be served at once, as the serving engines themselves count.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, fonts-noto-cjk | fonts-wqy-microhei, qt6-translations-l10n, qt6-wayland")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
